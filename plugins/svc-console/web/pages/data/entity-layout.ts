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
const LEAST_HEIGHT = 420

/** Unique among all connectors. */
export const keyOf = ({ connector, name }: Pick<Entity, 'connector' | 'name'>): string => `${connector} ${name}`

export function layoutOf(entities: readonly Entity[]): ModelLayout {
  const targets = new Map(entities.map((entity) => [keyOf(entity), referencesOf(entity)]))
  const ranks = ranksOf(entities, targets)
  const heights = entities.map(heightOf)
  const area = heights.reduce((sum, height) => sum + (height + GAP.y) * (BOX.width + GAP.x), 0)
  // A column of many is broken, so that the whole is hardly higher than wide.
  const highest = Math.max(LEAST_HEIGHT, Math.sqrt(area) * 0.8, ...heights)
  const boxes: Box[] = []
  let [x, y, total] = [0, 0, 0]
  for (const rank of ranks) {
    if (boxes.length > 0) [x, y] = [x + BOX.width + GAP.x, 0]
    for (const entity of rank) {
      const height = heightOf(entity)
      if (y > 0 && y + height > highest) [x, y] = [x + BOX.width + GAP.x, 0]
      boxes.push({ entity, x, y, height, hidden: Math.max(entity.columns.length - BOX.most, 0) })
      y += height + GAP.y
      total = Math.max(total, y - GAP.y)
    }
  }
  const placed = new Map(boxes.map((box) => [keyOf(box.entity), box]))
  return { boxes, lines: boxes.flatMap((box) => linesOf(box, placed)), width: x + BOX.width, height: total }
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

/** An entity stands right of all that refer to it, as far as no circle is in the way; what is alone comes last. */
function ranksOf(
  entities: readonly Entity[],
  targets: ReadonlyMap<string, readonly string[]>
): readonly (readonly Entity[])[] {
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
  return [...ranks.filter((rank) => rank !== undefined).reverse(), alone].filter((rank) => rank.length > 0)
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
