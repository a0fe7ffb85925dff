/** Writes files that are not there yet: all of them, or none. A file that is there is never changed. */
import { constants, existsSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { CommandError } from '../errors.ts'
import { print } from '../output.ts'

export interface NewFile {
  /** Relative to the application, with `/`. */
  readonly path: string
  readonly text: string
}

export interface WriteOptions {
  dryRun?: true | undefined
  /** Those that are there are left out instead of refused. */
  force?: true | undefined
}

/** Prints a line per file. @throws CommandError SVC_CREATE_EXISTS, SVC_CREATE_FAILED; nothing half-written is left */
export async function writeNewFiles(root: string, files: readonly NewFile[], options: WriteOptions): Promise<void> {
  const taken = files.filter(({ path }) => existsSync(join(root, path)))
  if (taken.length > 0 && options.force !== true) throw new CommandError(taken.map(({ path }) => exists(root, path)))
  const missing = files.filter((file) => !taken.includes(file))
  if (options.dryRun !== true) await writeAll(root, missing)
  for (const { path, text } of missing) {
    print(`CREATE ${relative(process.cwd(), join(root, path))} (${Buffer.byteLength(text)} bytes)`)
  }
  if (options.dryRun === true) print('\nNothing was written (--dry-run).')
}

async function writeAll(root: string, files: readonly NewFile[]): Promise<void> {
  const written: string[] = []
  try {
    for (const { path, text } of files) {
      const target = join(root, path)
      await mkdir(dirname(target), { recursive: true })
      const file = await open(target, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL)
      written.push(target)
      await file.writeFile(text).finally(() => file.close())
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true })))
    const { code, message, path = root } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CommandError(exists(root, relative(root, path)), 1, { cause: error })
    const failed = {
      code: 'SVC_CREATE_FAILED',
      message: `nothing was written: ${message}`,
      at: path,
      fix: 'check its rights, and the free disk space'
    }
    throw new CommandError(failed, 1, { cause: error })
  }
}

function exists(root: string, path: string) {
  return {
    code: 'SVC_CREATE_EXISTS',
    message: `${path} exists already`,
    at: join(root, path),
    fix: 'choose another name, or edit the file'
  }
}
