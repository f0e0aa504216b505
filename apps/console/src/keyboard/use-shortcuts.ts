import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { type Command, commandOf } from './shortcuts.ts';

const KEY = 'better-compute.shortcuts';

export interface Shortcuts {
  help: RefObject<HTMLDialogElement | null>;
  openHelp: () => void;
  isOn: boolean;
  toggle: () => void;
  focusCard: (confirmationId: string) => void;
}

const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-confirmation]')];
const cardWithFocus = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>('[data-confirmation]') ?? null;

function keptSetting(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Single keys over the page. `onStep` opens the second step for the card that has the focus; no single key decides. */
export function useShortcuts(onStep: (confirmationId: string, approve: boolean) => void): Shortcuts {
  const help = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(keptSetting);
  const act = useRef<(command: Command) => void>(undefined);
  const focusCard = useCallback(
    (id: string) =>
      cards()
        .find((card) => card.dataset.confirmation === id)
        ?.focus(),
    [],
  );
  const openHelp = useCallback(() => help.current?.showModal(), []);

  useEffect(() => {
    act.current = (command) => {
      const current = cardWithFocus();
      const all = cards();
      const at = current ? all.indexOf(current) : -1;
      switch (command) {
        case 'next':
          return all[Math.min(at + 1, all.length - 1)]?.focus();
        case 'previous':
          return all[Math.max(at - 1, 0)]?.focus();
        case 'help':
          return openHelp();
        case 'approve':
        case 'reject':
          return current?.dataset.confirmation === undefined ? undefined : onStep(current.dataset.confirmation, command === 'approve');
      }
    };
  });

  useEffect(() => {
    if (!isOn) return;
    const pressed = (event: KeyboardEvent) => {
      const command = commandOf(event, help.current?.open === true);
      if (!command) return;
      event.preventDefault();
      act.current?.(command);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [isOn]);

  const toggle = useCallback(() => {
    setOn(!isOn);
    try {
      localStorage.setItem(KEY, isOn ? 'off' : 'on');
    } catch {
      // not kept then: it holds until the page is closed
    }
  }, [isOn]);

  return { help, openHelp, isOn, toggle, focusCard };
}
