import { inboxPath } from '../shell/place.ts';

export const Done = ({ text }: { text: string }) => (
  <main className="interlude" id="main">
    <h1>Done</h1>
    <p role="status">{text}</p>
    <p>
      You can close this page. <a href={inboxPath}>Approvals</a>
    </p>
  </main>
);
