/** Gives every declared entity to its connector and compiles it there; all mistakes of all connectors together. */
import { BootError, type Problem } from 'svc-kernel'
import { nearestName } from 'svc-kernel/plugin'
import { compileEntities, type EntitiesOutcome, type PlacedDefinition } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { Declared } from '../entities/entities.ts'
import type { EntityDefinition } from '../entities/entity-definition.ts'
import { entityProblem } from '../entities/entity-problem.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'

export interface Assignment {
  readonly byConnector: ReadonlyMap<OrmConnector, readonly CompiledEntity[]>
  readonly problems: readonly Problem[]
}

export function assignEntities(all: readonly Declared[], connectors: readonly OrmConnector[]): Assignment {
  const declared = all.filter(isThere)
  const byConnector = new Map<OrmConnector, readonly CompiledEntity[]>()
  const problems = all.filter((each) => !isThere(each)).map(absenceProblem)
  for (const each of declared) problems.push(...connectorProblems(each, connectors))
  for (const [index, connector] of connectors.entries()) {
    const own = declared.filter((each) => (each.connector === null ? index === 0 : each.connector === connector.name))
    const read = own.map((each) => readSource(each, connector))
    const outcome = compileEntities(
      read.flatMap(({ placed }) => placed ?? []),
      connector.name
    )
    byConnector.set(connector, outcome.entities)
    problems.push(...read.flatMap((each) => each.problems), ...outcome.problems, ...searchProblems(outcome, connector))
  }
  return { byConnector, problems }
}

function searchProblems({ entities }: EntitiesOutcome, { name, search }: OrmConnector): Problem[] {
  const searched = search === true ? [] : entities.filter((entity) => entity.search !== undefined)
  return searched.map((entity) => {
    const message = `${entity.name} declares search, and the driver of connector ${name} has none`
    return entityProblem(entity, 'SVC_ENTITY_SEARCH', message, {
      fix: 'remove search, or move the entity to another connector'
    })
  })
}

/** Plain JavaScript, and files that import each other, hand over what is not there yet. */
function isThere({ source }: Declared): boolean {
  return typeof source === 'function' || (typeof source === 'object' && source !== null)
}

function absenceProblem(declared: Declared): Problem {
  const fix = 'list a definition or a class; check whether two files import each other'
  return entityProblem(declared, 'SVC_ENTITY_INVALID', `an entity is ${String(declared.source)}`, { fix })
}

function connectorProblems(declared: Declared, connectors: readonly OrmConnector[]): Problem[] {
  const { source, connector } = declared
  const known = connectors.map(({ name }) => name)
  if (connector === null ? known.length > 0 : known.includes(connector)) return []
  if (connector === null) {
    const fix = 'register svc-sqlorm or svc-docdb, or svc-orm with memory: true'
    return [entityProblem(declared, 'SVC_ENTITY_CONNECTOR', `no connector is registered for ${source.name}`, { fix })]
  }
  const near = nearestName(connector, known)
  return [
    entityProblem(
      declared,
      'SVC_ENTITY_CONNECTOR',
      `${source.name} names connector ${connector}, which is not registered`,
      {
        expected: known.join(' | ') || 'no connector is registered',
        ...(near === undefined ? {} : { fix: `rename ${connector} to ${near}` })
      }
    )
  ]
}

interface ReadSource {
  readonly placed: PlacedDefinition | null
  readonly problems: readonly Problem[]
}

function readSource(declared: Declared, connector: OrmConnector): ReadSource {
  const { source, place } = declared
  if (typeof source !== 'function') return { placed: { definition: source, place }, problems: [] }
  const refusal = (message: string): ReadSource => ({
    placed: null,
    problems: [
      entityProblem(declared, 'SVC_ENTITY_NATIVE', `${source.name || 'a class'}: ${message}`, {
        fix: 'declare it with defineEntity, or name its connector'
      })
    ]
  })
  if (connector.describeNative === undefined) {
    return refusal(`connector ${connector.name} (${connector.vendor}) does not support classes`)
  }
  let definition: EntityDefinition
  try {
    definition = connector.describeNative(source)
  } catch (error) {
    // The driver knows what is wrong; where it was declared is ours to say.
    if (error instanceof BootError) {
      return {
        placed: null,
        problems: error.problems.map((each) => ({ ...each, ...(place !== null && { at: place }) }))
      }
    }
    return refusal(error instanceof Error ? error.message : String(error))
  }
  return { placed: { definition, place }, problems: [] }
}
