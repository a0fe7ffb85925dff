/**
 * Criteria to conditions: fields and relations are ANDed, `$and`, `$or` and `$not` join criteria of the same entity, and
 * those of a relation are asked of the rows that belong. Pure.
 */
import { type Condition, type IdForm, isRecord, NOTHING, type RelatedRows } from 'svc-stores/table'
import type { CompiledEntity, CompiledRelation } from '../entities/compiled-entity.ts'
import { InvalidCriteria, UnknownEntity } from '../errors.ts'
import { fieldOf } from './entity-field.ts'
import { parseField } from './field-criteria.ts'
import type { EntityLookup, FindScope } from './find-scope.ts'
import { MEASURES, parseMeasures } from './measured-criteria.ts'
import { parsePathCriteria } from './path-criteria.ts'
import { presentRows } from './presence.ts'
import { relatedRows } from './related-rows.ts'
import { parseSearch, SEARCH } from './search-criteria.ts'
import { parseTree, TREE_OPERATORS } from './tree-criteria.ts'

interface Scope extends FindScope {
  /** Criteria within criteria. */
  readonly depth: number
}

/** Deeper than anybody writes, and shallow enough for every database. */
const MAX_DEPTH = 20

const JOINS = ['$and', '$or', '$not']

/** @throws UnknownCriteriaField, InvalidCriteria */
export function parseCriteria(
  entity: CompiledEntity,
  criteria: unknown,
  ids: IdForm,
  entityOf: EntityLookup = unreachable,
  withDeleted = false
): readonly Condition[] {
  return parse(entity, criteria, entity.name, { ids, entityOf, withDeleted, depth: 0 })
}

/** Criteria of what is found: deleted rows are not, unless the scope has them. @throws as `parseCriteria` */
export function parseFound(entity: CompiledEntity, criteria: unknown, scope: FindScope): readonly Condition[] {
  const { ids, entityOf, withDeleted } = scope
  const conditions = parseCriteria(entity, criteria, ids, entityOf, withDeleted)
  return withDeleted || !entity.softDelete ? conditions : [...conditions, ...presentRows(entity)]
}

function parse(entity: CompiledEntity, criteria: unknown, at: string, scope: Scope): readonly Condition[] {
  if (!isRecord(criteria)) throw new InvalidCriteria(at, 'an object of fields; {} matches every row')
  if (scope.depth > MAX_DEPTH) throw new InvalidCriteria(at, `criteria nested at most ${MAX_DEPTH} deep`)
  const conditions: Condition[] = []
  for (const name of Object.keys(criteria)) {
    const given = criteria[name]
    const joined = parseNamed(entity, name, given, scope)
    if (joined === null) parseField(entity, fieldOf(entity, name), given, scope.ids, conditions)
    else conditions.push(...joined)
  }
  return conditions
}

/** @returns `null` for the name of a field */
function parseNamed(entity: CompiledEntity, name: string, given: unknown, scope: Scope): readonly Condition[] | null {
  if (JOINS.includes(name)) return join(entity, name, given, scope)
  if (name === SEARCH) return [parseSearch(entity, given)]
  if (TREE_OPERATORS.includes(name)) return [walk(entity, name, given, 'id', scope)]
  const path = relationPath(entity, name)
  if (path === null) return parsePathCriteria(entity, name, given)
  const asked = path.rest === null ? given : { [path.rest]: given }
  return relatedOrWalked(entity, path.relation, asked, scope)
}

function join(entity: CompiledEntity, name: string, given: unknown, scope: Scope): readonly Condition[] {
  const inside = { ...scope, depth: scope.depth + 1 }
  if (name === '$not') return [{ operator: 'not', of: parsePart(entity, given, name, inside) }]
  if (!Array.isArray(given)) throw new InvalidCriteria(name, `a list of criteria of ${entity.name}`)
  const sets = Array.from(given as unknown[], (each) => parsePart(entity, each, name, inside))
  if (name === '$and') return sets.flat()
  return sets.length === 0 ? [NOTHING] : [{ operator: 'any', of: sets }]
}

/** One that asks for nothing would make the whole say nothing, and the query wide. */
function parsePart(entity: CompiledEntity, given: unknown, name: string, scope: Scope): readonly Condition[] {
  const conditions = parse(entity, given, name, scope)
  if (conditions.length === 0) throw new InvalidCriteria(name, 'criteria that are not empty')
  return conditions
}

/** @param field what holds the id of a row of the tree */
function walk(entity: CompiledEntity, name: string, given: unknown, field: string, scope: Scope): Condition {
  const inside = { ...scope, depth: scope.depth + 1 }
  const of = scope.withDeleted ? [] : presentRows(entity)
  return parseTree(entity, name, given, { field, of }, (criteria) => parse(entity, criteria, name, inside))
}

interface RelationPath {
  readonly relation: CompiledRelation
  /** What is asked of the related row, `author.name`; `null`: the relation itself. */
  readonly rest: string | null
}

function relationPath({ relations }: CompiledEntity, name: string): RelationPath | null {
  const dot = name.indexOf('.')
  const relation = relations.get(dot === -1 ? name : name.slice(0, dot))
  return relation === undefined ? null : { relation, rest: dot === -1 ? null : name.slice(dot + 1) }
}

/** The reference itself names a row of a tree: for a walk, the table of the row need not be looked at. */
function relatedOrWalked(
  entity: CompiledEntity,
  relation: CompiledRelation,
  given: unknown,
  scope: Scope
): readonly Condition[] {
  const isReference = isRecord(given) && relation.type !== 'one-to-many' && given.$exists !== false
  const entries = isReference ? Object.entries(given) : []
  const walks = entries.filter(([name]) => TREE_OPERATORS.includes(name))
  if (walks.length === 0) return related(entity, relation, given, scope)
  const [target, inside] = [scope.entityOf(relation.target), { ...scope, depth: scope.depth + 1 }]
  const conditions = walks.map(([name, each]) => walk(target, name, each, relation.field, inside))
  const others = entries.filter(([name]) => !TREE_OPERATORS.includes(name))
  return others.length === 0
    ? conditions
    : [...conditions, ...related(entity, relation, Object.fromEntries(others), scope)]
}

/** A related row meets the criteria; with `$exists: false`, and for `null`, none does. */
function related(
  entity: CompiledEntity,
  relation: CompiledRelation,
  given: unknown,
  scope: Scope
): readonly Condition[] {
  const target = scope.entityOf(relation.target)
  if (given !== null && !isRecord(given))
    throw new InvalidCriteria(relation.name, `criteria of ${target.name}, or null`)
  const { $exists, $latest, ...asked } = given ?? { $exists: false }
  if ($exists !== undefined && typeof $exists !== 'boolean') {
    throw new InvalidCriteria(`${relation.name} $exists`, 'true or false')
  }
  const entries = Object.entries(asked)
  const criteria = Object.fromEntries(entries.filter(([name]) => !MEASURES.includes(name)))
  const rows: RelatedRows = {
    ...relatedRows(relation, target, $latest, scope),
    of: [
      ...parse(target, criteria, relation.name, { ...scope, depth: scope.depth + 1 }),
      ...(scope.withDeleted ? [] : presentRows(target))
    ]
  }
  const measures = entries.filter(([name]) => MEASURES.includes(name))
  if (measures.length > 0) {
    const [[name]] = measures as [[string, unknown]]
    if ($exists !== undefined) throw new InvalidCriteria(`${relation.name} $exists`, `no such operator beside ${name}`)
    if (relation.type !== 'one-to-many') throw new InvalidCriteria(`${relation.name} ${name}`, 'a one-to-many relation')
    return parseMeasures(entity, target, rows, relation.name, Object.fromEntries(measures))
  }
  const condition: Condition = { operator: 'related', ...rows }
  return [$exists === false ? { operator: 'not', of: [condition] } : condition]
}

function unreachable(name: string): never {
  throw new UnknownEntity(name)
}
