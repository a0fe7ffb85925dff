/**
 * A new application in a hidden folder beside its place: complete before
 * anything is seen of it, and gone without a trace when something fails.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PackageFile } from '../application/app-packages.ts'
import { linkPackages } from '../application/package-links.ts'
import { CommandError } from '../errors.ts'
import { appTemplate } from './app-template.ts'
import { layOver, type PackageAdditions } from './lay-over.ts'
import type { Preset } from './preset.ts'
import { type TestRunner, useTap } from './test-runner.ts'

export interface DraftFile {
  /** Relative to the application, with `/`. */
  readonly path: string
  readonly bytes: number
}

export interface Draft {
  readonly folder: string
  /** Sorted by path. */
  readonly files: readonly DraftFile[]
  /** Removes what is left of it. */
  discard(): void
}

export interface DraftRequest {
  /** Of the application. */
  readonly name: string
  /** Absolute folder it is meant for. */
  readonly target: string
  /** An existing folder that takes the draft; on the file system of the target. */
  readonly beside: string
  readonly preset: Preset
  readonly test: TestRunner
}

/**
 * @throws CommandError SVC_CREATE_FAILED; nothing is left behind
 */
export async function draftApp({ name, target, beside, preset, test }: DraftRequest): Promise<Draft> {
  const folder = join(beside, `.svc-create-${randomUUID()}`)
  await mkdir(folder).catch((error: Error) => {
    throw new CommandError(failed(error, beside), 1, { cause: error })
  })
  const discard = () => {
    rmSync(folder, { recursive: true, force: true })
  }
  const interrupted = () => {
    discard()
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    await layDown(folder)
    const manifest = await fillIn(folder, name, target, await layOver(folder, preset))
    await writeManifest(folder, test === 'tap' ? await useTap(folder, manifest) : manifest)
    return { folder, files: await listFiles(folder), discard }
  } catch (error) {
    discard()
    throw error instanceof CommandError ? error : new CommandError(failed(error as Error, folder), 1, { cause: error })
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  }
}

async function layDown(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('./lay-down.js', import.meta.url))
  const child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`fastify-cli could not lay down the template: ${lastLine(complaint)}`)
}

/** `generate` fills no names in, and `npm init` adds empty fields: the package is written again. */
async function fillIn(folder: string, name: string, target: string, more: PackageAdditions): Promise<PackageFile> {
  const laidDown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const { version, license, engines } = laidDown
  const { type, main, scripts, dependencies, devDependencies } = appTemplate()
  const all = Object.entries({ ...dependencies, ...more.dependencies }).sort(([a], [b]) => (a < b ? -1 : 1))
  const links = linkPackages(Object.fromEntries(all), target)
  const readme = join(folder, 'README.md')
  await writeFile(readme, (await readFile(readme, 'utf8')).replace(/^# .*/, `# ${name}`))
  return {
    name,
    version,
    private: true,
    license,
    type,
    main,
    engines,
    scripts: { ...scripts, ...more.scripts },
    dependencies: links,
    devDependencies
  } as PackageFile
}

async function writeManifest(folder: string, manifest: PackageFile): Promise<void> {
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function listFiles(folder: string): Promise<DraftFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = await Promise.all(
    paths.map(async (path) => ({
      path: path.slice(folder.length + 1).replaceAll('\\', '/'),
      bytes: (await stat(path)).size
    }))
  )
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

function failed(error: Error, at: string) {
  return {
    code: 'SVC_CREATE_FAILED',
    message: `the application was not created: ${error.message}`,
    at,
    fix: 'check the folder, its permissions and that npm can be run, then try again'
  }
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => /\S/.test(line) && !/^\s+at |^npm warn|^Node\.js v/.test(line))
  return lines.find((line) => /Error/.test(line)) ?? lines.at(-1) ?? 'no message'
}
