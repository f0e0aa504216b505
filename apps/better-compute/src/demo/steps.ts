import { ApiError } from '@kit/operation';
import type { Agent, ToolAnswer } from './agent.ts';

/** One step as `--json` prints it. */
export interface Step {
  step: string;
  request: unknown;
  response: unknown;
}

export interface StoryContext {
  agent: Agent;
  /** Shows a line of the story to a person. */
  tell(title: string, text: string): void;
  record(step: Step): void;
  /** Waits for the person, or approves by itself after showing the card. */
  approve(confirmationId: string): Promise<unknown>;
}

/** The story must go as told: anything else ends the demo with what was different. */
export function expectStory(condition: boolean, what: string, seen: unknown): asserts condition {
  if (!condition) throw new ApiError('DEMO_FAILED', 500, `the story did not go as told: ${what}. Seen: ${JSON.stringify(seen)?.slice(0, 800)}`);
}

async function callStep(c: StoryContext, step: string, name: string, args: Record<string, unknown>): Promise<Record<string, any>> {
  const answer: ToolAnswer = await c.agent.call(name, args);
  c.record({ step, request: { tool: name, arguments: args }, response: answer.structuredContent });
  expectStory(!answer.isError, `${name} was refused`, answer.structuredContent);
  return answer.structuredContent;
}

/** Calls a held tool until it is through: held → a person decides → the same call with the same key. */
async function heldStep(c: StoryContext, step: string, name: string, args: Record<string, unknown>, noun: string): Promise<Record<string, any>> {
  const held = await callStep(c, `${step}-held`, name, args);
  expectStory(
    held.status === 'confirmation-required' && typeof held.confirmationId === 'string' && typeof held.idempotencyKey === 'string',
    `${name} should wait for a person`,
    held,
  );
  c.tell(`${name} waits for a person`, `confirmation ${held.confirmationId}\nkey ${held.idempotencyKey}\n${held.approvalUrl ?? ''}`);
  const decided = await c.approve(held.confirmationId);
  c.record({ step: `${step}-approved`, request: { confirmationId: held.confirmationId }, response: decided });
  const done = await callStep(c, step, name, { ...args, idempotencyKey: held.idempotencyKey });
  expectStory(done[noun] !== undefined && done.idempotencyKey === held.idempotencyKey, `the retry with the same key should go through`, done);
  return done;
}

const GPUS = { poolId: 'pool_b200-ams', gpus: 16, duration: '8h', gpuModel: 'B200', nvlink: true };

/** The main job (issue: list → preview → reserve → approve → retry → placed → extend → release), checked step by step. */
export async function tellStory(c: StoryContext): Promise<void> {
  const pools = await callStep(c, 'list-pools', 'list_pools', {});
  expectStory(Array.isArray(pools.items) && pools.items.length === 3, 'three pools are offered', pools);
  c.tell('The agent looks for capacity', pools.items.map((p: { id: string; name: string }) => `${p.id}  ${p.name}`).join('\n'));

  const { preview } = await callStep(c, 'preview', 'preview_reservation', GPUS);
  expectStory(preview?.fits === true, 'sixteen B200 in one NVLink domain fit', preview);
  c.tell('It previews 16 × B200 for 8 h in one NVLink domain', 'fits now');

  const reserved = await heldStep(c, 'reserve', 'reserve_gpus', GPUS, 'reservation');
  const { reservation } = reserved;
  expectStory(reservation.state === 'active' && gpuCount(reservation) === 16, 'the reservation is placed on 16 GPUs', reservation);
  c.tell(
    'The same call with the same key is placed',
    `${reservation.id}: ${reservation.placements.map((p: { nodeName: string; gpuUuids: string[] }) => `${p.nodeName} × ${p.gpuUuids.length}`).join(', ')}`,
  );

  const again = await callStep(c, 'reserve-again', 'reserve_gpus', { ...GPUS, idempotencyKey: reserved.idempotencyKey });
  expectStory(again.reservation?.id === reservation.id, 'the key never acts twice', again);
  c.tell('Once more with that key', `still ${again.reservation.id}: exactly once`);

  const { extension } = await heldStep(c, 'extend', 'extend_reservation', { reservationId: reservation.id, by: '2h' }, 'extension');
  expectStory(extension.expiresAt - extension.previousExpiresAt === 7_200_000, 'two hours more', extension);
  c.tell('Extended by 2 h on the same GPUs', `until ${new Date(extension.expiresAt).toISOString()}`);

  const released = await callStep(c, 'release', 'release_reservation', { reservationId: reservation.id });
  expectStory(released.reservation?.state === 'released', 'it is released', released);
  const list = await callStep(c, 'list-reservations', 'list_reservations', {});
  expectStory(list.items?.length === 1, 'one reservation ever came of it', list);
  c.tell('Released', `${released.reservation.id} is ${released.reservation.state}; the list shows exactly one reservation`);
}

const gpuCount = (reservation: { placements: { gpuUuids: string[] }[] }): number => reservation.placements.reduce((n, p) => n + p.gpuUuids.length, 0);
