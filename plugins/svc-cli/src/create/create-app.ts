/** `svc create app`: a new application, offline and without questions; all of it or nothing. */
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import type { Problem } from 'svc-kernel'
import { CommandError } from '../errors.ts'
import { print } from '../output.ts'
import { cleanAppName, isAppName, NAME_RULE } from './app-name.ts'
import { appTemplate } from './app-template.ts'
import { type Draft, type DraftFile, draftApp } from './draft.ts'
import { copyMissing, moveDraft, occupationOf } from './place-draft.ts'
import { type Preset, type PresetDatabase, presetOf } from './preset.ts'
import type { TestRunner } from './test-runner.ts'

export interface CreateAppOptions {
  preset: string
  /** Default: the first of the preset. */
  database?: PresetDatabase
  /** Default: that of the preset. */
  test?: TestRunner
  /** Folder, when it is not named as the application. */
  dir?: string
  /** Only print. */
  dryRun?: true
  /** Write the missing files into a folder that is not empty. */
  force?: true
}

/** @throws CommandError; whatever it throws, nothing half-written stays behind */
export async function createApp(given: string | undefined, options: CreateAppOptions): Promise<void> {
  const { preset, database, test, dir, dryRun, force } = options
  const name = given ?? nameFor(dir)
  const startsWith = presetOf(preset, database)
  checkName(name, dir)
  const target = resolve(dir ?? name)
  const occupation = await occupationOf(target)
  if (occupation === 'occupied' && force !== true) throw new CommandError(exists(name, target, dir))
  const draft = await draftApp({
    name,
    target,
    beside: dryRun === true ? tmpdir() : nearestFolder(dirname(target)),
    preset: startsWith,
    test: test ?? startsWith.test
  })
  try {
    if (dryRun === true) {
      report(
        target,
        draft.files.filter(({ path }) => !existsSync(join(target, path)))
      )
      print('\nNothing was written (--dry-run).')
      return
    }
    report(target, await place(draft, target, occupation === 'occupied', () => exists(name, target, dir)))
    printNextSteps(target, startsWith)
  } finally {
    draft.discard()
  }
}

/** Of its folder. @throws CommandError SVC_CREATE_NAME */
function nameFor(dir: string | undefined): string {
  if (dir !== undefined) return cleanAppName(resolve(dir), takenNames())
  throw new CommandError(
    {
      code: 'SVC_CREATE_NAME',
      message: 'the application needs a name, or a folder to be named for',
      expected: NAME_RULE,
      fix: 'npx svc create app NAME, or npx svc create app --dir FOLDER'
    },
    2
  )
}

function takenNames(): string[] {
  const { dependencies, devDependencies } = appTemplate()
  return Object.keys({ ...dependencies, ...devDependencies })
}

async function place(
  draft: Draft,
  target: string,
  merge: boolean,
  occupied: () => Problem
): Promise<readonly DraftFile[]> {
  try {
    if (merge) return await copyMissing(draft, target)
    await moveDraft(draft, target)
    return draft.files
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw new CommandError(occupied(), 1, { cause: error })
    throw new CommandError(
      {
        code: 'SVC_CREATE_FAILED',
        message: `the application was not created: ${message}`,
        at: target,
        fix: 'check the permissions and the free space of that folder'
      },
      1,
      { cause: error }
    )
  }
}

function checkName(name: string, dir: string | undefined): void {
  const taken = takenNames()
  if (isAppName(name, taken)) return
  const folder = dir ?? (/[\\/]/.test(name) || name.startsWith('.') ? name : undefined)
  throw new CommandError(
    {
      code: 'SVC_CREATE_NAME',
      message: taken.includes(name)
        ? `"${name}" is the name of a package the application uses`
        : `"${name}" cannot name an application`,
      got: name,
      expected: NAME_RULE,
      fix: `npx svc create app ${cleanAppName(name, taken)}${folder === undefined ? '' : ` --dir ${folder}`}`
    },
    2
  )
}

function exists(name: string, target: string, dir: string | undefined): Problem {
  let free = 2
  while (existsSync(`${target}${free}`)) free += 1
  const other = dir === undefined ? `${name}${free}` : `${name} --dir ${dir}${free}`
  return {
    code: 'SVC_CREATE_EXISTS',
    message: `folder "${relative(process.cwd(), target) || '.'}" is not empty`,
    at: target,
    fix: `npx svc create app ${other}, or --force to write only missing files`
  }
}

function report(target: string, files: readonly DraftFile[]): void {
  const folder = relative(process.cwd(), target)
  for (const { path, bytes } of files) print(`CREATE ${folder === '' ? path : join(folder, path)} (${bytes} bytes)`)
}

function printNextSteps(target: string, { name }: Preset): void {
  const folder = relative(process.cwd(), target)
  // Its console asks for an administrator.
  const run = name === 'full' ? 'npm run dev -- --admin root' : 'npm run dev'
  print(['', 'Next:', `  cd ${folder === '' ? '.' : folder}`, '  npm install', `  ${run}`].join('\n'))
}

/** The draft is made on the file system of the target, so that a rename can finish it. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}
