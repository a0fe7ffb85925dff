/** The scopes of the entities of one connector, and what the caller sees of them. */
import type { Rewrite, TablePlan, ValueCondition } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { CallerScopes } from './caller-scopes.ts'

/** Of one entity. */
export interface EntityScope {
  readonly entity: string
  /** Its name, such as `organization`. */
  readonly name: string
  /** That keeps its value in a row. */
  readonly field: string
}

/** The row belongs to the scope. */
export type ScopeCondition = ValueCondition & { readonly operator: 'eq'; readonly value: string }

export class EntityScopes {
  readonly callers: CallerScopes
  readonly #byPlan = new Map<TablePlan, EntityScope>()
  readonly #names = new Set<string>()

  constructor(entities: readonly CompiledEntity[], callers: CallerScopes) {
    this.callers = callers
    for (const entity of entities) {
      const { name, scope } = entity
      if (scope === undefined) continue
      this.#byPlan.set(entityPlan(entity), { entity: name, ...scope })
      this.#names.add(scope.name)
    }
  }

  of(plan: TablePlan): EntityScope | null {
    return this.#byPlan.get(plan) ?? null
  }

  get isEmpty(): boolean {
    return this.#names.size === 0
  }

  /** @returns `null`: across scopes @throws NoScope */
  value({ name, entity }: EntityScope): string | null {
    return this.callers.value(name, entity)
  }

  /** What a row has to meet; `null` across scopes. @throws NoScope */
  condition(scope: EntityScope): ScopeCondition | null {
    const value = this.value(scope)
    return value === null ? null : { field: scope.field, operator: 'eq', value }
  }

  /** Questions that reach rows of this table find those of the scope. @throws NoScope */
  rewrite(plan: TablePlan): Rewrite {
    const scope = this.of(plan)
    const own = scope === null ? null : this.condition(scope)
    return { of: (table) => this.rewrite(table), only: own && { column: own.field, value: own.value } }
  }

  /**
   * What names one row to the caller: a key with the value of the scope. `null` where it names none: across scopes, or
   * where it asks for another scope.
   *
   * @throws NoScope
   */
  key(
    { name, scope }: CompiledEntity,
    key: Readonly<Record<string, unknown>>
  ): Readonly<Record<string, unknown>> | null {
    if (scope === undefined) return key
    const value = this.callers.value(scope.name, name)
    const asked = key[scope.field] ?? value
    return value === null || asked !== value ? null : { ...key, [scope.field]: value }
  }

  /** Of an entity with a scope, for observers: its name, or that the call runs across. Never a value. */
  named({ scope }: CompiledEntity): string | null {
    if (scope === undefined) return null
    return this.callers.isAcross ? `across ${scope.name}` : `within ${scope.name}`
  }

  /** Runs later steps of work in the scopes of now. */
  held(): <T>(work: () => T) => T {
    return this.isEmpty ? runAsIs : this.callers.held(this.#names)
  }
}

function runAsIs<T>(work: () => T): T {
  return work()
}
