import { refusalOf } from '@kit/operation';

/** What a call was refused with; throws when it was not. */
export async function refusalFrom(
  call: Promise<unknown>,
): Promise<{ code: string; status: number; message: string; details: Record<string, any>; retryAfterMs?: number }> {
  try {
    const answer = await call;
    throw new Error(`not refused: ${JSON.stringify(answer)}`);
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return { ...refusal, details: refusal.details ?? {} };
  }
}

export const codeOf = async (call: Promise<unknown>): Promise<string> => (await refusalFrom(call)).code;
