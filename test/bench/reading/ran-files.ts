/**
 * Which source files run while a piece of work is done once: those of which at least one function was called, by V8's
 * count of calls. What a module does while it loads is not counted, and what nobody calls is not read.
 */
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { fileURLToPath } from 'node:url'

export interface RanFile {
  /** From the root of the repository, as it is written: `plugins/svc-security/src/login/auth.routes.ts`. */
  readonly path: string
  /** Lines of the whole file: who follows the work opens all of it. */
  readonly lines: number
  /** Lines of the compiled functions that ran, and their names; a function within another one counts once. */
  readonly ranLines: number
  readonly functions: readonly string[]
}

const COMPILED = /\/(plugins\/[^/]+)\/dist\/(src\/.*)\.js$/

/** @param packages names of packages whose files count */
export async function ranFiles(work: () => Promise<unknown>, packages: readonly string[]): Promise<RanFile[]> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await session.post('Profiler.takePreciseCoverage')
    await work()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .flatMap(({ url, functions }) => ranFile(url, functions, packages))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  } finally {
    session.disconnect()
  }
}

interface CountedFunction {
  readonly functionName: string
  readonly ranges: ReadonlyArray<{ readonly startOffset: number; readonly endOffset: number; readonly count: number }>
}

function ranFile(url: string, functions: readonly CountedFunction[], packages: readonly string[]): RanFile[] {
  const [, folder = '', file = ''] = COMPILED.exec(url) ?? []
  if (!packages.includes(folder.slice('plugins/'.length))) return []
  const ran = functions.filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)
  if (ran.length === 0) return []
  const path = `${folder}/${file}.ts`
  const written = readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
  const compiled = readFileSync(fileURLToPath(url), 'utf8')
  const covered = new Set<number>()
  for (const { ranges } of ran) {
    const { startOffset = 0, endOffset = 0 } = ranges[0] ?? {}
    const first = countLines(compiled.slice(0, startOffset))
    const last = countLines(compiled.slice(0, endOffset))
    for (let line = first; line <= last; line += 1) covered.add(line)
  }
  const names = ran.map(({ functionName }) => functionName || '(anonymous)')
  return [{ path, lines: countLines(written.trimEnd()), ranLines: covered.size, functions: names }]
}

function countLines(text: string): number {
  return text.split('\n').length
}
