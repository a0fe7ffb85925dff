/**
 * Which roles a role brings along. Flattened at boot into one bit row per role,
 * so a check is two map look-ups and a bit test however deep the hierarchy is.
 * Built without recursion, on Maps: no depth overflows, no name is special.
 */

/** Thrown by the constructor; `path` starts and ends with the same role. */
export class RoleCycle extends Error {
  override readonly name = 'RoleCycle'
  readonly path: readonly string[]

  constructor(path: readonly string[]) {
    super(path.join(' → '))
    this.path = path
  }
}

export class RoleHierarchy {
  readonly #index = new Map<string, number>()
  readonly #rows: Uint32Array[] = []

  /**
   * @param inherits role to the roles it inherits directly
   * @throws RoleCycle with the full path, wherever the cycle is
   */
  constructor(inherits: Readonly<Record<string, readonly string[]>>) {
    const children = new Map(Object.entries(inherits))
    for (const [role, inherited] of children) for (const name of [role, ...inherited]) this.#learn(name)
    const words = Math.ceil(this.#index.size / 32)
    for (const role of leavesFirst(this.#index.keys(), children)) {
      const row = new Uint32Array(words)
      for (const child of children.get(role) ?? []) this.#include(row, child)
      this.#rows[this.#index.get(role) as number] = row
    }
  }

  /** All roles the hierarchy names. */
  get roles(): string[] {
    return [...this.#index.keys()]
  }

  /** True when one of `owned` is `wanted` or inherits it. What is no text in `owned` counts for nothing. */
  grants(owned: readonly unknown[], wanted: string): boolean {
    const target = this.#index.get(wanted)
    for (const role of owned) {
      if (role === wanted) return true
      if (target === undefined || typeof role !== 'string') continue
      const index = this.#index.get(role)
      if (index !== undefined && hasBit(this.#rows[index] as Uint32Array, target)) return true
    }
    return false
  }

  /** What two lists of roles both grant: roles of either that the other has or inherits. */
  common(some: readonly string[], others: readonly string[]): string[] {
    const both = [
      ...some.filter((role) => this.grants(others, role)),
      ...others.filter((role) => this.grants(some, role))
    ]
    return [...new Set(both)]
  }

  /** The roles that bring `role` along, without itself. */
  granting(role: string): string[] {
    return this.roles.filter((each) => each !== role && this.grants([each], role))
  }

  #learn(role: string): void {
    if (!this.#index.has(role)) this.#index.set(role, this.#index.size)
  }

  #include(row: Uint32Array, child: string): void {
    const index = this.#index.get(child) as number
    row[index >>> 5] = (row[index >>> 5] as number) | (1 << (index & 31))
    const inherited = this.#rows[index] as Uint32Array
    for (let word = 0; word < row.length; word += 1) row[word] = (row[word] as number) | (inherited[word] as number)
  }
}

/** The role itself, and those that bring it along. */
export function rolesGranting(role: string, inherits: Readonly<Record<string, readonly string[]>>): string[] {
  return [role, ...new RoleHierarchy(inherits).granting(role)]
}

function hasBit(row: Uint32Array, bit: number): boolean {
  return (((row[bit >>> 5] as number) >>> (bit & 31)) & 1) === 1
}

/** Depth-first order with its own stack: every role after all it inherits. */
function leavesFirst(roles: Iterable<string>, children: ReadonlyMap<string, readonly string[]>): Set<string> {
  const done = new Set<string>()
  for (const start of roles) {
    const path = done.has(start) ? [] : [{ role: start, next: 0 }]
    const onPath = new Set([start])
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const child = children.get(top.role)?.[top.next]
      top.next += 1
      if (child === undefined) {
        done.add(top.role)
        onPath.delete(top.role)
        path.pop()
      } else if (onPath.has(child)) {
        const names = path.map(({ role }) => role)
        throw new RoleCycle([...names.slice(names.indexOf(child)), child])
      } else if (!done.has(child)) {
        path.push({ role: child, next: 0 })
        onPath.add(child)
      }
    }
  }
  return done
}
