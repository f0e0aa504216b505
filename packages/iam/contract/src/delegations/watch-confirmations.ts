import { operation, streamOf } from '../form.ts';
import { Confirmation } from './confirmation.ts';

/** One event whenever a confirmation put to the caller is filed, decided, used or lapses; the state as it then is. */
export const watchConfirmations = streamOf<Confirmation>()(
  operation({
    id: 'delegations.watchConfirmations',
    summary: 'Follow the confirmations put to you as they change.',
    effect: 'read',
    userOnly: true,
    output: {},
    events: Confirmation,
    command: { path: ['confirm', 'watch'] },
  }),
);
