/**
 * Random trees whose rows move, are marked and restored, beside a model: a map from each row to the one above. The model
 * walks by that map alone; it knows neither conditions nor tables.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Repository } from '../repository/repository.ts'
import { type ConformanceSubject, column, emptyTables, openContext, refused } from './conformance-suite.ts'

export interface TreeComparisonOptions {
  /** Sets of rows. Default 15, each with twenty questions and changes. */
  readonly runs?: number
}

interface Node {
  readonly name: string
  readonly id: string
  above: Node | null
  present: boolean
}

const ROWS = 12

/** Rows in the order of their creation, each below none or one before it. */
const forest = fc.array(fc.nat(ROWS), { minLength: 3, maxLength: ROWS })
const node = fc.nat(ROWS - 1)
const step = fc.record({
  kind: fc.constantFrom(
    'descendants',
    'ancestors',
    'within',
    'path',
    'towns',
    'move',
    'move',
    'root',
    'mark',
    'restore'
  ),
  at: node,
  to: node,
  depth: fc.integer({ min: 1, max: 4 })
})

type Step = typeof step extends fc.Arbitrary<infer Given> ? Given : never

/** @throws where an answer or a refusal differs from that of the model */
export async function compareTrees(
  subject: Pick<ConformanceSubject, 'open' | 'close'>,
  { runs = 15 }: TreeComparisonOptions = {}
): Promise<void> {
  const context = await openContext(subject)
  const [regions, towns] = [context.repository('Region'), context.repository('Town')]
  const property = fc.asyncProperty(forest, fc.array(step, { minLength: 20, maxLength: 20 }), async (given, steps) => {
    await emptyTables(context)
    const nodes: Node[] = []
    for (const [place, above] of given.entries()) {
      const parent = above < place ? (nodes[above] as Node) : null
      // Names ascend as ids do.
      const name = String.fromCharCode(97 + place)
      const { id } = await regions.create({ name, parentId: parent?.id ?? null })
      await towns.create({ name, regionId: id })
      nodes.push({ name, id, above: parent, present: true })
    }
    for (const each of steps) await take(each, nodes, regions, towns)
  })
  try {
    await fc.assert(property, { numRuns: runs })
  } finally {
    await subject.close?.(context.connector)
  }
}

async function take(
  { kind, at, to, depth }: Step,
  nodes: Node[],
  regions: Repository,
  towns: Repository
): Promise<void> {
  const [one, other] = [nodes[at % nodes.length] as Node, nodes[to % nodes.length] as Node]
  const below = () => nodes.filter((each) => distance(each, one) <= depth)
  const above = () => nodes.filter((each) => distance(one, each) <= depth)
  const names = (found: readonly Node[]) => found.map(({ name }) => name).sort()
  switch (kind) {
    case 'descendants': {
      const found = await regions.descendants(one.id, { maxDepth: depth, depthAs: 'depth' } as never)
      const expected = below().filter((each) => each !== one)
      const order = expected.toSorted((a, b) => distance(a, one) - distance(b, one) || (a.name < b.name ? -1 : 1))
      assert.deepEqual(
        found.map((row) => [row.name, row.depth]),
        order.map((each) => [each.name, distance(each, one)]),
        kind
      )
      return
    }
    case 'ancestors': {
      const found = await regions.ancestors(one.id, { self: true, maxDepth: depth } as never)
      const order = above().toSorted((a, b) => distance(one, b) - distance(one, a))
      assert.deepEqual(
        column(found, 'name'),
        order.map(({ name }) => name),
        kind
      )
      return
    }
    case 'within': {
      const found = await regions.find({ $within: { name: one.name, $depth: depth }, name: { $ne: other.name } })
      assert.deepEqual(column(found, 'name').sort(), names(below().filter((each) => each !== other)), kind)
      return
    }
    case 'path':
      assert.deepEqual(
        column(await regions.find({ $pathTo: { id: one.id, $depth: depth } }), 'name').sort(),
        names(above()),
        kind
      )
      return
    case 'towns':
      assert.deepEqual(
        column(await towns.find({ region: { $within: one.id } }), 'name').sort(),
        names(nodes.filter((each) => distance(each, one) < Number.POSITIVE_INFINITY)),
        kind
      )
      return
    case 'move': {
      if (!one.present) return
      const move = () => regions.updateOne({ id: one.id }, { parentId: other.id })
      if (climbs(other, one)) return refused(move, 'SVC_ORM_TREE_CYCLE', 409)
      await move()
      one.above = other
      return
    }
    case 'root':
      assert.equal(await regions.updateMany({ id: one.id }, { parentId: null }), one.present ? 1 : 0)
      if (one.present) one.above = null
      return
    case 'mark':
      assert.equal(await regions.deleteOne({ id: one.id }), one.present)
      one.present = false
      return
    case 'restore':
      assert.equal(await regions.restore({ id: one.id }), one.present ? 0 : 1)
      one.present = true
  }
}

/** How many levels a row is below another one, over present rows. */
function distance(from: Node, to: Node): number {
  let levels = 0
  for (let at: Node | null = from; at?.present === true; at = at.above) {
    if (at === to) return levels
    levels += 1
  }
  return Number.POSITIVE_INFINITY
}

/** Whether the path to the root leads over the other row, present or not. */
function climbs(from: Node, over: Node): boolean {
  for (let at: Node | null = from; at !== null; at = at.above) if (at === over) return true
  return false
}
