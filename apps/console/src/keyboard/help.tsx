import type { RefObject } from 'react';
import { shortcutTexts } from './shortcuts.ts';

interface HelpProps {
  ref: RefObject<HTMLDialogElement | null>;
  isOn: boolean;
  onToggle: () => void;
}

/** Single keys can be switched off: they get in the way of speech input (WCAG 2.1.4). */
export function Help({ ref, isOn, onToggle }: HelpProps) {
  return (
    <dialog ref={ref} className="help" aria-labelledby="help-title">
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {shortcutTexts.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <label className="tick">
        <input type="checkbox" checked={isOn} onChange={onToggle} /> Single keys do something
      </label>
      <button type="button" className="button" onClick={() => ref.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
