import type { BetterIamOptions } from '../index.ts';
import { betterIam, type BetterIam } from '../index.ts';
import type { World } from './world.ts';

/** The same deployment with resources of its own: shelves, and books that stand on them. */
export const libraryOver = (world: World, o: Partial<BetterIamOptions> = {}): BetterIam =>
  betterIam({
    database: world.iam.store,
    secret: 'a secret of at least thirty-two characters',
    baseURL: 'http://127.0.0.1:7070',
    now: () => world.clock.now,
    permissions: {
      actions: ['library:books:read', 'library:books:lend'],
      resourceTypes: {
        shelf: { managed: true },
        book: { managed: true, parent: 'shelf', attributes: { pages: 'number', lent: 'boolean', topic: 'string', tags: 'string[]' } },
        visitor: {},
      },
    },
    ...o,
  });

const statement = (actions: string[], resources: string[], conditions?: object) => ({
  effect: 'allow',
  actions,
  resources,
  ...(conditions ? { conditions } : {}),
});

/** A role of these statements, bound to somebody. */
export async function bind(iam: BetterIam, world: World, identityId: string, ...statements: Parameters<typeof statement>[]): Promise<void> {
  const document = { version: 1, statements: statements.map((one) => statement(...one)) };
  const { id: roleId } = await iam.api.roles.create(world.owner, { name: `library-${Math.random()}`, document });
  await iam.api.bindings.create(world.owner, { roleId, identityId });
}
