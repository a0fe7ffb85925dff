/** `counts`: how many related rows each row has, by name: `{ lines: true, open: { relation: 'lines', where } }`. Pure. */
import { type Condition, isRecord } from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import { InvalidFindOptions } from '../errors.ts'
import type { RelationCount } from './row-shape.ts'

const NONE: readonly RelationCount[] = []
const NAME = /^[A-Za-z]\w{0,59}$/

/**
 * @param relationOf of the entity, by name @param conditionsOf of the related rows
 * @throws InvalidFindOptions, UnknownRelation, InvalidCriteria
 */
export function readCounts(
  entity: CompiledEntity,
  given: unknown,
  relationOf: (name: string) => CompiledRelation,
  conditionsOf: (relation: CompiledRelation, where: unknown) => readonly Condition[]
): readonly RelationCount[] {
  if (given === undefined) return NONE
  if (!isRecord(given)) throw new InvalidFindOptions('counts', 'an object with true, or a relation, per name')
  if (entity.fields.has('counts') || entity.relations.has('counts')) {
    throw new InvalidFindOptions('counts', `an entity without a field or relation of that name, unlike ${entity.name}`)
  }
  return Object.entries(given).map(([name, asked]) => {
    if (!NAME.test(name)) throw new InvalidFindOptions(`counts.${name}`, 'a name of letters, digits and _')
    const { relation: of = name, where = {} } = asked === true ? {} : readCount(name, asked)
    const relation = relationOf(String(of))
    if (relation.type !== 'one-to-many') {
      throw new InvalidFindOptions(`counts.${name}`, `a one-to-many relation; ${relation.name} is ${relation.type}`)
    }
    return { name, relation, where: conditionsOf(relation, where) }
  })
}

function readCount(name: string, asked: unknown): { readonly relation?: unknown; readonly where?: unknown } {
  const isCount = isRecord(asked) && Object.keys(asked).every((key) => key === 'relation' || key === 'where')
  if (!isCount) throw new InvalidFindOptions(`counts.${name}`, 'true, or an object with relation and where')
  return asked
}
