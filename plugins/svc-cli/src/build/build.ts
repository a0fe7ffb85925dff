/**
 * `svc build`: compiles into a folder of its own and puts it in the place of
 * dist/ only when all of it compiled. So a build never keeps the output of a
 * file that was deleted, and a failed one leaves the last good build alone.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { notInstalled } from '../application/app-packages.ts'
import { compilerOf } from '../application/compiler-of.ts'
import { findRoot } from '../application/find-root.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'

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
    await rm(target, { recursive: true, force: true })
    await rename(fresh, target)
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

function noEntryBuilt(root: string) {
  return {
    code: 'SVC_BUILD_FAILED',
    message: 'the compiler wrote no app.js; dist/ is as it was',
    at: join(root, 'tsconfig.json'),
    expected: '"rootDir": "." and app.ts among the files',
    fix: 'set "rootDir": "." and "include": ["**/*.ts"]'
  }
}
