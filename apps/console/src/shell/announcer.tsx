/** Read out when its text changes, without taking the focus. */
export function Announcer({ text }: { text: string }) {
  return (
    <p role="status" aria-live="polite" className="unseen">
      {text}
    </p>
  );
}
