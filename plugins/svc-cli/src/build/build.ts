/**
 * `svc build`: compiles into a folder of its own and moves that into dist/ only
 * when all of it compiled: a failed build leaves the last good one alone. What an
 * earlier build made of a file that was deleted goes; what no build made stays.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { formatProblem, type Problem, terminalPaint } from 'svc-kernel'
import { notInstalled } from '../application/app-packages.ts'
import { compilerOf } from '../application/compiler-of.ts'
import { findRoot } from '../application/find-root.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain, print } from '../output.ts'
import { replaceBuild } from './replace-build.ts'

const COMMAND = { script: 'npm run build', direct: 'svc build' }

/** @throws CommandError SVC_BUILD_FAILED after the compiler printed its errors */
export async function build(options: AppOptions): Promise<void> {
  const root = findRoot(options.root, COMMAND)
  const tsc = compilerOf(root)
  if (tsc === null) throw new CommandError(notInstalled(root, 'typescript'))
  const fresh = join(root, '.svc-build')
  const target = join(root, 'dist')
  await rm(fresh, { recursive: true, force: true })
  try {
    await compile(tsc, root, fresh)
    if (!existsSync(join(fresh, 'app.js'))) throw new CommandError(noEntryBuilt(root))
    const kept = await replaceBuild(fresh, target)
    if (kept.length > 0) complain(formatProblem(keptProblem(kept), terminalPaint(process.stderr), '▲'))
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  const files = await readdir(target, { recursive: true })
  print(`built dist/ (${files.filter((file) => file.endsWith('.js')).length} modules)`)
}

async function compile(tsc: string, root: string, outDir: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [tsc, '-p', root, '--outDir', outDir, '--noEmitOnError', '--incremental', 'false'],
    {
      cwd: root,
      stdio: 'inherit'
    }
  )
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return
  throw new CommandError({
    code: 'SVC_BUILD_FAILED',
    message: 'the sources do not compile, see above; dist/ is as it was',
    at: join(root, 'tsconfig.json'),
    fix: 'mend the errors and build again'
  })
}

function keptProblem(kept: readonly string[]): Problem {
  const names = kept.slice(0, 3).map((name) => join('dist', name))
  return {
    code: 'SVC_BUILD_KEPT',
    message: `${kept.length} file${kept.length === 1 ? '' : 's'} in dist/ that no build made: left as they are`,
    at: `${names.join(', ')}${kept.length > names.length ? ' ...' : ''}`,
    fix: "data belongs in the application's folder: move it there, as in mv dist/data data",
    more: 'docs/guides/getting-started.md'
  }
}

function noEntryBuilt(root: string) {
  return {
    code: 'SVC_BUILD_FAILED',
    message: 'the compiler wrote no app.js; dist/ is as it was',
    at: join(root, 'tsconfig.json'),
    expected: '"rootDir": "." and app.ts among the files',
    fix: 'set "rootDir": "." and "include": ["**/*.ts"]'
  }
}
