/** Which folder holds the key set: the one that is named, else `jwt.dir` of the application's config. */
import { resolve } from 'node:path'
import { importFrom } from '../application/app-packages.ts'
import { findRoot } from '../application/find-application.ts'
import { inspectApp } from '../application/inspect-app.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'

const COMMAND = 'svc keys list'

export interface KeyOptions extends AppOptions {
  /** Relative to the application folder, as `jwt.dir` is. */
  dir?: string
}

export interface KeyPlace {
  readonly root: string
  readonly dir: string
}

/** @throws CommandError SVC_NO_CONFIG outside an application, SVC_KEYS_DIR where nothing names a folder */
export async function keyFolder(options: KeyOptions): Promise<KeyPlace> {
  const root = findRoot(options.root, COMMAND)
  const dir = options.dir ?? (await configuredDir(options))
  if (dir !== undefined) return { root, dir: resolve(root, dir) }
  throw new CommandError({
    code: 'SVC_KEYS_DIR',
    message: 'the folder of the key set is not configured',
    at: 'svc-security.jwt.dir',
    fix: "--dir keys, and jwt: { dir: 'keys' } in svc.config.ts"
  })
}

function configuredDir(options: KeyOptions): Promise<string | undefined> {
  return inspectApp(options, COMMAND, async ({ app }) => {
    for (const entry of app.config.modules) {
      const given = Array.isArray(entry) ? (entry[1] as { jwt?: { dir?: unknown } } | undefined) : undefined
      if (typeof given?.jwt?.dir === 'string') return given.jwt.dir
    }
    return undefined
  })
}

/** A key as it is stored; `d` is its private part, and is never printed. */
export interface StoredKey {
  readonly kid: string
  readonly d?: string
  /** Epoch ms. */
  readonly activeFrom: number
}

export interface KeyFile {
  readonly path: string
  exists(): boolean
  openToOthers(): string | null
  read(): string
  create(keys: readonly StoredKey[]): boolean
  replace(keys: readonly StoredKey[]): void
}

/** What the commands need of svc-security to work on a key set, from the copy that the application uses. */
export interface KeyTools {
  readonly KeySetFile: new (dir: string) => KeyFile
  readKeySet(text: string): { readonly stored: readonly StoredKey[] | null; readonly faults: readonly string[] }
  newStoredKey(activeFrom: number): StoredKey
  rotateKeys(stored: readonly StoredKey[], now: number): StoredKey[]
}

/** @throws CommandError SVC_NOT_INSTALLED */
export async function importKeyTools(root: string): Promise<KeyTools> {
  return (await importFrom(root, 'svc-security', 'svc-security/host')) as KeyTools
}
