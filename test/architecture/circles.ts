/** Circles of relative imports between files. Types count: a circle of types is still a pair of ideas with no order. */
import { posix } from 'node:path'
import type { Finding } from './finding.ts'
import type { SourceFile } from './repository.ts'
import { scanImports } from './scan-imports.ts'

/** One finding per circle, told from the file that comes first by name. */
export function circleFindings(files: readonly SourceFile[]): Finding[] {
  const known = new Set(files.map((file) => file.path))
  const edges = new Map(files.map((file) => [file.path, targetsOf(file, known)]))
  const circles = new Map<string, string[]>()
  for (const start of edges.keys()) {
    const circle = shortestCircle(start, edges)
    if (circle !== null) circles.set([...circle].sort().join(), fromSmallest(circle))
  }
  return [...circles.values()].map((circle) => ({
    path: circle[0] ?? '',
    line: 0,
    problem: `imports itself in a circle: ${[...circle, circle[0]].join(' -> ')}`,
    fix: 'move what the files share into a file that imports none of them'
  }))
}

function targetsOf(file: SourceFile, known: ReadonlySet<string>): string[] {
  return scanImports(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier))
    .filter((path) => known.has(path))
}

/** Breadth first, so that the circle shown is the smallest one through `start`. */
function shortestCircle(start: string, edges: ReadonlyMap<string, string[]>): string[] | null {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const next of edges.get(node) ?? []) {
      if (next === start) return pathBack(node, start, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      queue.push(next)
    }
  }
  return null
}

function pathBack(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [end]
  while (path[0] !== start) path.unshift(cameFrom.get(path[0] ?? '') ?? start)
  return path
}

function fromSmallest(circle: readonly string[]): string[] {
  const first = circle.indexOf([...circle].sort()[0] ?? '')
  return [...circle.slice(first), ...circle.slice(0, first)]
}
