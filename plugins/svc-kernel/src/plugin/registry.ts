/**
 * A process-wide registry of named factories, filled at module load and closed
 * while an application that was built from it is open. A development reload
 * starts a new generation: built-ins stay, the application registers again.
 */
import { DuplicateName, RegistrySealed } from '../errors.ts'

interface Generation<Factory> {
  readonly entries: Map<string, Factory>
  open: number
}

const registries = new Set<Registry<unknown>>()

export class Registry<Factory> {
  readonly #kind: string
  readonly #builtIn: ReadonlyMap<string, Factory>
  #generation: Generation<Factory>

  /** @param kind what is registered, for messages: `voter`, `authenticator` */
  constructor(kind: string, builtIn: Iterable<readonly [string, Factory]> = []) {
    this.#kind = kind
    this.#builtIn = new Map(builtIn)
    this.#generation = { entries: new Map(this.#builtIn), open: 0 }
    registries.add(this as Registry<unknown>)
  }

  /** @throws RegistrySealed after boot, DuplicateName when the name is taken, by a built-in too. */
  register(name: string, factory: Factory): void {
    if (this.#generation.open > 0) throw new RegistrySealed(this.#kind, name)
    if (this.#generation.entries.has(name)) throw new DuplicateName(this.#kind, name)
    this.#generation.entries.set(name, factory)
  }

  get(name: string): Factory | undefined {
    return this.#generation.entries.get(name)
  }

  names(): string[] {
    return [...this.#generation.entries.keys()]
  }

  /** Closes the registry for an application that has booted; call the result when it closes. */
  seal(): () => void {
    const generation = this.#generation
    generation.open += 1
    let released = false
    return () => {
      if (!released) generation.open -= 1
      released = true
    }
  }

  /** Forgets what applications registered; the result puts it back. */
  renew(): () => void {
    const previous = this.#generation
    this.#generation = { entries: new Map(this.#builtIn), open: 0 }
    return () => {
      this.#generation = previous
    }
  }
}

/** Renews every registry of the process, for a reload. The result undoes it, when the reload failed. */
export function renewRegistries(): () => void {
  const undo = [...registries].map((registry) => registry.renew())
  return () => {
    for (const step of undo) step()
  }
}
