/** Two connections move rows of one tree at once, at each level of isolation: no row ever comes below itself. */
import { compileEntities } from 'svc-orm/driver'
import t, { type Test } from 'tap'
import { onPostgres } from './support/on-postgres.ts'
import { openConnector } from './support/open-connector.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const ROUNDS = 40
const ROWS = 4
const REFUSALS = ['SVC_ORM_TREE_CYCLE', 'SVC_ORM_CONFLICT']

const { entities } = compileEntities(
  [
    {
      name: 'Branch',
      schema: { name: { type: 'string' as const } },
      relations: { parent: { type: 'many-to-one' as const, target: 'Branch', nullable: true } },
      tree: 'parent'
    }
  ].map((definition) => ({ definition, place: null })),
  'default'
)

t.setTimeout(120_000)

async function races(t: Test, url: string, isolations: readonly ('read committed' | 'repeatable read')[]) {
  const [one, other] = [await openConnector(url, entities), await openConnector(url, entities)]
  t.teardown(() => Promise.all([one.close(), other.close()]))
  const sides = [one, other].map(({ repositories }) => repositories.repository('Branch'))
  const [rows] = sides as [(typeof sides)[0]]
  for (const isolation of isolations) {
    let refusals = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const made = await rows.createMany(Array.from({ length: ROWS }, (_, n) => ({ name: `${round} ${n}` })))
      const ids = made.map(({ id }) => id)
      // Each below the next, the last below the first: all of them would be a circle.
      const moves = ids.map((id, place) => {
        const parentId = ids[(place + 1) % ROWS] as string
        const side = sides[place % 2] as (typeof sides)[0]
        return place < 2
          ? side.withTransaction((inside) => inside.updateOne({ id }, { parentId }), { isolation })
          : side.updateOne({ id }, { parentId })
      })
      for (const outcome of await Promise.allSettled(moves)) {
        if (outcome.status === 'fulfilled') continue
        refusals += 1
        const { code } = outcome.reason as { readonly code?: unknown }
        t.ok(REFUSALS.includes(String(code)), String(outcome.reason))
      }
      const above = new Map((await rows.find({ id: ids })).map((row) => [row.id, row.parentId as string | null]))
      t.ok(
        ids.every((id) => reachesRoot(id, above)),
        `round ${round}`
      )
    }
    t.ok(refusals >= ROUNDS, `${isolation}: a move of each round is refused`)
  }
}

function reachesRoot(id: string, above: ReadonlyMap<string, string | null>): boolean {
  let at: string | null = id
  for (let steps = 0; at !== null && steps <= ROWS; steps += 1) at = above.get(at) ?? null
  return at === null
}

t.test('SQLite', (t) => races(t, `sqlite:${temporaryFolder(t)}/tree.db`, ['repeatable read']))

await onPostgres(async (t, server) => races(t, await server.createDatabase(), ['repeatable read', 'read committed']))
