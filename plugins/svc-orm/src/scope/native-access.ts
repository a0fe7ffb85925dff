/** Handles of a database beside its repositories, such as Kysely or a model of Mongoose: they see the rows of all scopes. */
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { NativeInScope } from '../errors.ts'
import type { CallerScopes } from './caller-scopes.ts'

export interface NativeOptions {
  /** The statements may see the rows of all scopes. Default `false`. */
  readonly acrossScopes?: boolean
}

export class NativeAccess {
  readonly #connector: string
  /** `null` while no entity of the connector has a scope. */
  #scopes: CallerScopes | null = null

  constructor(connector: string) {
    this.#connector = connector
  }

  /** The entities of the connector, and the scopes of their callers. */
  accept(entities: readonly CompiledEntity[], scopes: CallerScopes): void {
    if (entities.some(({ scope }) => scope !== undefined)) this.#scopes = scopes
  }

  /** @param handle as its caller calls it @throws NativeInScope */
  check(handle: string, { acrossScopes = false }: NativeOptions = {}): void {
    if (acrossScopes || this.#scopes === null || this.#scopes.isAcross) return
    throw new NativeInScope(handle, this.#connector)
  }
}
