/** Whose time a CPU profile shows, and whose modules were loaded: by package. */

/** The part of a V8 CPU profile that is read; times are in microseconds. */
interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

export interface Share {
  readonly files: number
  /** Milliseconds in code of the package itself, and in all that it called. */
  readonly exclusive: number
  readonly inclusive: number
}

/** The package that a module belongs to: `node` for Node's own, `application` for what lies in no `node_modules`. */
export function packageOf(url: string): string {
  if (url === '' || url.startsWith('node:')) return 'node'
  return /^.*\/(?:node_modules|plugins)\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'application'
}

/** Idle time is nobody's. Collecting garbage, compiling and looking for files are Node's. */
export function sharesOf(profile: CpuProfile, loads: readonly string[]): ReadonlyMap<string, Share> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])))
  const files = countOf(loads.map(packageOf))
  const exclusive = new Map<string, number>()
  const inclusive = new Map<string, number>()
  profile.samples.forEach((sample, index) => {
    const ms = (profile.timeDeltas[index] ?? 0) / 1000
    const { functionName, url } = nodes.get(sample)?.callFrame ?? { functionName: '', url: '' }
    if (functionName === '(idle)') return
    add(exclusive, packageOf(url), ms)
    const callers = new Set<string>()
    for (let at: number | undefined = sample; at !== undefined; at = parents.get(at)) {
      callers.add(packageOf(nodes.get(at)?.callFrame.url ?? ''))
    }
    for (const caller of callers) add(inclusive, caller, ms)
  })
  const names = new Set([...files.keys(), ...inclusive.keys()])
  const share = (name: string) => ({
    files: files.get(name) ?? 0,
    exclusive: exclusive.get(name) ?? 0,
    inclusive: inclusive.get(name) ?? 0
  })
  return new Map([...names].map((name) => [name, share(name)]))
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) add(counts, name, 1)
  return counts
}

function add(sums: Map<string, number>, name: string, amount: number): void {
  sums.set(name, (sums.get(name) ?? 0) + amount)
}
