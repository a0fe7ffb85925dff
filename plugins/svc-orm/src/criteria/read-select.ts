/** `select`: fields of a row, its rank, and `customer.name` of rows that it reaches: short for an inclusion that selects them. Pure. */
import { isRecord } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import { fieldOf } from './entity-field.ts'
import { RANK } from './search-criteria.ts'

export interface Selected {
  /** `null`: all. */
  readonly own: readonly string[] | null
  /** As `include` is given, with what is selected through relations. */
  readonly include: unknown
  /** `$rank` as well. */
  readonly rank: boolean
}

/** @throws InvalidFindOptions, UnknownCriteriaField */
export function readSelect(entity: CompiledEntity, select: unknown, include: unknown): Selected {
  if (select === undefined) return { own: null, include, rank: false }
  if (!Array.isArray(select)) throw new InvalidFindOptions('select', 'a list of names of fields')
  const own: string[] = []
  const through = new Map<string, string[]>()
  let rank = false
  for (const given of Array.from(select as unknown[], String)) {
    const dot = given.indexOf('.')
    const relation = dot === -1 ? undefined : entity.relations.get(given.slice(0, dot))
    if (given === RANK) rank = true
    else if (relation === undefined) own.push(fieldOf(entity, given).name)
    else through.set(relation.name, [...(through.get(relation.name) ?? []), given.slice(dot + 1)])
  }
  if (through.size === 0) return { own, include, rank }
  const included = isRecord(include) ? include : {}
  const twice = [...through.keys()].find((name) => included[name] !== undefined)
  if (twice !== undefined) throw new InvalidFindOptions(`select of ${twice}`, 'a relation that is not included as well')
  const selected = [...through].map(([name, fields]) => [name, { select: fields }] as const)
  return {
    own,
    include: include === undefined || isRecord(include) ? { ...included, ...Object.fromEntries(selected) } : include,
    rank
  }
}
