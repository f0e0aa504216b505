import type { Ref } from 'react';

interface CardButtonProps {
  text: string;
  /** Of many buttons with one text, each names its request. */
  summary: string;
  onPress: () => void;
  isMain?: boolean;
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** Not `disabled` while busy, which would drop the focus. The second click of a double click does nothing, whatever has moved under the pointer. */
export function CardButton({ text, summary, onPress, isMain = false, isBusy = false, ref }: CardButtonProps) {
  return (
    <button
      ref={ref}
      type="button"
      className={isMain ? 'button button-main' : 'button'}
      aria-label={`${text}: ${summary}`}
      aria-disabled={isBusy}
      onClick={(event) => {
        if (event.detail <= 1 && !isBusy) onPress();
      }}
    >
      {text}
    </button>
  );
}
