import type { World } from '../world.ts';
import type { AgentModel } from './model.ts';

export interface Outcome {
  /** `ok`, or the code of a refusal. */
  code: string;
  value?: Record<string, unknown>;
}

/** A refusal is an outcome; anything else is a fault of ours and fails the run. */
export async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    return { code: 'ok', value: (await call) as Record<string, unknown> };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined || code === 'INTERNAL_ERROR') throw error;
    return { code };
  }
}

export async function makeKey({ iam, owner }: World, agentId: string): Promise<AgentModel['keys'][number]> {
  const { token, credential } = await iam.api.credentials.create(owner, { identityId: agentId, name: 'key' });
  return { id: credential.id, token, isRevoked: false };
}
