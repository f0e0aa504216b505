import { ApiError } from '@kit/operation';
import type { Terminal } from './terminal.ts';

/** Asks a person one thing; hidden ones are not shown as they are typed. `INVALID_INPUT` where nobody can be asked, or who is asked stops. */
export type Ask = (message: string, o?: { isHidden?: boolean }) => Promise<string>;

export const askOn =
  (terminal: Terminal): Ask =>
  async (message, o = {}) => {
    if (!terminal.isInteractive) throw new ApiError('INVALID_INPUT', 400, `${message}: there is no terminal to ask on`);
    const { isCancel, password, text } = await import('@clack/prompts');
    const answer = await (o.isHidden ? password({ message }) : text({ message }));
    if (isCancel(answer)) throw new ApiError('INVALID_INPUT', 400, 'stopped');
    return answer;
  };
