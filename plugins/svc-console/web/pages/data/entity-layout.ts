/** Where the boxes of a model and the lines between them lie: an entity stands left of those that it refers to. Pure. */
import type { Entity } from './data-api.ts'

export interface Box {
  readonly entity: Entity
  readonly x: number
  readonly y: number
  readonly height: number
  /** Fields that have no line of their own. */
  readonly hidden: number
}

export interface Line {
  readonly key: string
  /** Names of both ends. */
  readonly from: string
  readonly to: string
  readonly path: string
}

export interface ModelLayout {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

export const BOX = { width: 200, head: 28, row: 18, most: 12 } as const
const GAP = { x: 70, y: 22 } as const
/** From the left of a column to that of the next. */
const STEP = BOX.width + GAP.x
const LEAST_HEIGHT = 420

/** Unique among all connectors. */
export const keyOf = ({ connector, name }: Pick<Entity, 'connector' | 'name'>): string => `${connector} ${name}`

export function layoutOf(entities: readonly Entity[]): ModelLayout {
  const { ranks, alone } = ranksOf(entities)
  const area = entities.reduce((sum, entity) => sum + (heightOf(entity) + GAP.y) * STEP, 0)
  const side = Math.sqrt(area)
  const boxes: Box[] = []
  const place = (entity: Entity, x: number, y: number) => {
    const height = heightOf(entity)
    boxes.push({ entity, x, y, height, hidden: Math.max(entity.columns.length - BOX.most, 0) })
    return y + height + GAP.y
  }
  // A column of many is broken, so that the whole is hardly higher than wide.
  const highest = Math.max(LEAST_HEIGHT, side * 0.8)
  let [x, ranked] = [0, 0]
  for (const rank of ranks) {
    let y = 0
    for (const entity of rank) {
      if (y > 0 && y + heightOf(entity) > highest) [x, y] = [x + STEP, 0]
      y = place(entity, x, y)
      ranked = Math.max(ranked, y)
    }
    x += STEP
  }
  // What is alone lies below, each where there is most room.
  const columns = Math.max(1, Math.round(Math.max(x, side) / STEP))
  const ends = Array.from({ length: Math.min(columns, Math.max(alone.length, x / STEP)) }, () => ranked)
  for (const entity of alone) {
    const column = ends.indexOf(Math.min(...ends))
    ends[column] = place(entity, column * STEP, ends[column] ?? 0)
  }
  const placed = new Map(boxes.map((box) => [keyOf(box.entity), box]))
  return {
    boxes,
    lines: boxes.flatMap((box) => linesOf(box, placed)),
    // A line to the entity itself, or to one below, has its bend beside the last column.
    width: ends.length * STEP - GAP.x / 2,
    height: Math.max(ranked, ...ends) - GAP.y
  }
}

function heightOf({ columns }: Entity): number {
  const rows = columns.length > BOX.most ? BOX.most + 1 : columns.length
  return BOX.head + rows * BOX.row + 6
}

/** The other side of a `one-to-many` is the same line. */
function ownRelations({ relations }: Entity) {
  return relations.filter(({ type }) => type !== 'one-to-many')
}

function referencesOf(entity: Entity): readonly string[] {
  return ownRelations(entity).map(({ target }) => keyOf({ connector: entity.connector, name: target }))
}

/** An entity stands right of all that refer to it, as far as no circle is in the way. */
function ranksOf(entities: readonly Entity[]): {
  readonly ranks: readonly (readonly Entity[])[]
  /** Refer to nothing, and nothing refers to them. */
  readonly alone: readonly Entity[]
} {
  const targets = new Map(entities.map((entity) => [keyOf(entity), referencesOf(entity)]))
  const depths = new Map<string, number>()
  const under = new Set<string>()
  // How far it is to an entity that refers to nothing.
  const depthOf = (key: string): number => {
    const known = depths.get(key)
    if (known !== undefined) return known
    if (under.has(key)) return -1
    under.add(key)
    const depth = Math.max(-1, ...(targets.get(key) ?? []).map((target) => (target === key ? -1 : depthOf(target)))) + 1
    under.delete(key)
    depths.set(key, depth)
    return depth
  }
  const referred = new Set([...targets.values()].flat())
  const ranks: Entity[][] = []
  const alone: Entity[] = []
  for (const entity of entities) {
    const key = keyOf(entity)
    const depth = depthOf(key)
    if (depth === 0 && !referred.has(key)) {
      alone.push(entity)
      continue
    }
    const rank = ranks[depth] ?? []
    ranks[depth] = rank
    rank.push(entity)
  }
  return { ranks: ranks.filter((rank) => rank !== undefined).reverse(), alone }
}

function linesOf(box: Box, placed: ReadonlyMap<string, Box>): readonly Line[] {
  const { entity } = box
  return ownRelations(entity).flatMap(({ field, target, foreignKey }) => {
    const other = placed.get(keyOf({ connector: entity.connector, name: target }))
    if (other === undefined) return []
    const row = entity.columns.findIndex(({ name }) => name === foreignKey)
    const place = Math.min(row === -1 ? 0 : row, BOX.most)
    const [y1, y2] = [box.y + BOX.head + (place + 0.5) * BOX.row, other.y + BOX.head / 2]
    const ends = { from: keyOf(entity), to: keyOf(other.entity) }
    return [{ key: `${keyOf(entity)} ${field}`, ...ends, path: curve(box.x, y1, other.x, y2) }]
  })
}

/** From the side of the one box to the nearer side of the other. */
function curve(from: number, y1: number, to: number, y2: number): string {
  const bend = GAP.x / 2
  if (to > from) return `M${from + BOX.width} ${y1}C${from + BOX.width + bend} ${y1} ${to - bend} ${y2} ${to} ${y2}`
  const right = to + BOX.width
  if (to < from) return `M${from} ${y1}C${from - bend} ${y1} ${right + bend} ${y2} ${right} ${y2}`
  return `M${from + BOX.width} ${y1}C${right + bend} ${y1} ${right + bend} ${y2} ${right} ${y2}`
}
