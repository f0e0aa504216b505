import fc from 'fast-check';
import { checkInvariants } from './invariants.ts';
import { DAY, HOUR, MINUTE, type Model } from './model.ts';
import type { Outcome } from './outcome.ts';
import { keepAwake } from './real.ts';
import * as people from './people-steps.ts';
import * as steps from './steps.ts';
import type { World } from '../world.ts';

export interface Held {
  now: Model;
  /** How often each thing was done, and what was answered. */
  seen: Map<string, number>;
}

type Command = fc.AsyncCommand<Held, World>;

/** Ran against both: what the server answers is what the model says, and then everything the invariants say holds. */
abstract class Tried implements Command {
  check(): boolean {
    return true;
  }
  async run(held: Held, world: World): Promise<void> {
    world.clock.pass(1);
    held.now.now = world.clock.now;
    await this.act(held, world);
    await checkInvariants(held.now, world);
  }
  abstract act(held: Held, world: World): Promise<void>;
  abstract toString(): string;
}

class Alone extends Tried {
  readonly step: steps.Step;
  name = 'nothing';
  constructor(step: steps.Step) {
    super();
    this.step = step;
  }
  async act(held: Held, world: World): Promise<void> {
    const planned = this.step(held.now);
    if (!planned) return;
    this.name = planned.name;
    const outcome = await planned.run(world);
    const expected = planned.take(held.now, outcome);
    count(held, planned, outcome);
    if (outcome.code !== expected) throw new Error(`${planned.name}: ${outcome.code} and not ${expected}`);
  }
  toString(): string {
    return this.name;
  }
}

/** Two at once: what both are answered, and what is then so, is what one of the two orders gives. */
class AtOnce extends Tried {
  readonly steps: readonly [steps.Step, steps.Step];
  name = 'nothing';
  constructor(one: steps.Step, other: steps.Step) {
    super();
    this.steps = [one, other];
  }
  async act(held: Held, world: World): Promise<void> {
    const [one, other] = [this.steps[0](held.now), this.steps[1](held.now)];
    if (!one || !other) return;
    this.name = `(${one.name} | ${other.name})`;
    const outcomes = await Promise.all([one.run(world), other.run(world)]);
    const orders = [
      [
        [one, outcomes[0]],
        [other, outcomes[1]],
      ],
      [
        [other, outcomes[1]],
        [one, outcomes[0]],
      ],
    ] as const;
    const why: string[] = [];
    for (const order of orders) {
      const tried = structuredClone(held.now);
      const problem = problemOf(tried, order);
      if (problem === undefined && (await isSame(tried, world))) {
        held.now = tried;
        for (const [planned, outcome] of order) count(held, planned, outcome, 'at once ');
        return;
      }
      why.push(problem ?? 'the records are others');
    }
    throw new Error(`${this.name}: ${outcomes.map((o) => o.code).join(' and ')} is neither order (${why.join('; ')})`);
  }
  toString(): string {
    return this.name;
  }
}

function count({ seen }: Held, { verb }: steps.Planned, { code, value }: Outcome, how = ''): void {
  const what = `${how}${verb} ${value?.confirmationId === undefined ? code : 'admitted'}`;
  seen.set(what, (seen.get(what) ?? 0) + 1);
}

function problemOf(m: Model, order: readonly (readonly [steps.Planned, Outcome])[]): string | undefined {
  for (const [planned, outcome] of order) {
    try {
      const expected = planned.take(m, outcome);
      if (expected !== outcome.code) return `${planned.name}: ${outcome.code} and not ${expected}`;
    } catch (error) {
      return (error as Error).message;
    }
  }
  return undefined;
}

const isSame = async (m: Model, world: World): Promise<boolean> =>
  await checkInvariants(m, world).then(
    () => true,
    () => false,
  );

class Pass extends Tried {
  readonly ms: number;
  constructor(ms: number) {
    super();
    this.ms = ms;
  }
  async act(held: Held, world: World): Promise<void> {
    world.clock.pass(this.ms);
    held.now.now = world.clock.now;
    await keepAwake(world);
  }
  toString(): string {
    return `${this.ms / MINUTE} min pass`;
  }
}

/** Mostly the latest of its kind, since the earlier ones have ended. */
const n = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 5 }));
const agent = fc.nat({ max: 2 });
const mostly = <T>(often: T, seldom: T) => fc.oneof({ weight: 4, arbitrary: fc.constant(often) }, fc.constant(seldom));
const wish = fc.record({ draft: mostly('drf_a', 'drf_b'), gpus: mostly(8, 64) });
const person = fc.oneof(
  { weight: 6, arbitrary: fc.constant('alex' as const) },
  { weight: 2, arbitrary: fc.constant('blake' as const) },
  fc.constant('owner' as const),
);

const weighted: [number, fc.Arbitrary<steps.Step>][] = [
  [4, agent.map(steps.grant)],
  [2, agent.map(steps.request)],
  [2, fc.tuple(n, fc.boolean()).map(([at, yes]) => steps.answer(at, yes))],
  [1, fc.tuple(n, fc.constantFrom('alex' as const, 'owner' as const)).map(([at, who]) => steps.revoke(at, who))],
  [5, n.map(steps.assume)],
  [3, fc.tuple(n, agent).map(([at, to]) => steps.handOff(at, to))],
  [8, fc.tuple(n, wish).map(([at, what]) => steps.ask(at, what))],
  [8, fc.tuple(n, person, fc.boolean()).map(([at, who, yes]) => steps.settle(at, who, yes))],
  [8, fc.tuple(n, wish).map(([at, what]) => steps.use(at, what))],
  [1, fc.tuple(agent, fc.boolean()).map(([at, yes]) => people.suspend(at, yes))],
  [1, agent.map(people.changeKey)],
  [2, fc.constant(people.nameDeputy())],
  [1, n.map(people.endDeputy)],
];
const step = fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

export const commands = (max: number): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(
    [
      ...Array.from({ length: 6 }, () => step.map((one) => new Alone(one))),
      ...Array.from({ length: 3 }, () => fc.tuple(step, step).map(([one, other]) => new AtOnce(one, other))),
      fc.constantFrom(MINUTE, MINUTE, MINUTE, 14 * MINUTE, 31 * MINUTE, 2 * HOUR, DAY).map((ms) => new Pass(ms)),
    ],
    { maxCommands: max, size: 'max' },
  );
