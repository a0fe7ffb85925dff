/**
 * `svc keys`: the key set on disk that access tokens are signed with. Lists, makes and
 * rotates; a running application takes a rotation over by itself. No private part is ever printed.
 */
import { relative } from 'node:path'
import { CommandError } from '../errors.ts'
import { print, printJson, textTable } from '../output.ts'
import type { StoredKey } from './key-folder.ts'
import { importKeyTools, type KeyFile, type KeyOptions, type KeyTools, keyFolder } from './key-folder.ts'

interface OpenedKeys {
  readonly tools: KeyTools
  readonly file: KeyFile
  /** The file as a person in the application folder would name it. */
  readonly shown: string
}

/** @throws CommandError SVC_KEYS_NONE, SVC_KEYS_UNUSABLE */
export async function listKeys(options: KeyOptions & { json?: true }): Promise<void> {
  const { tools, file, shown } = await open(options)
  const rows = keyRows(read(tools, file), Date.now())
  if (options.json === true) {
    printJson({ file: file.path, keys: rows })
    return
  }
  const cells = rows.map(({ kid, state, activeFrom, retiredAt }) => [kid, state, time(activeFrom), time(retiredAt)])
  print(`${shown}\n\n${textTable(['KID', 'STATE', 'SIGNS FROM', 'UNTIL'], cells)}`)
}

/** @throws CommandError SVC_KEYS_EXISTS */
export async function generateKeys(options: KeyOptions): Promise<void> {
  const { tools, file, shown } = await open(options)
  const key = tools.newStoredKey(Date.now())
  if (!file.exists() && file.create([key])) {
    print(`${shown}: created, mode 0600; key ${key.kid} signs from now on. Keep it out of git.`)
    return
  }
  throw new CommandError({
    code: 'SVC_KEYS_EXISTS',
    message: 'a key set exists already',
    at: file.path,
    fix: 'npx svc keys rotate'
  })
}

/** @throws CommandError SVC_KEYS_NONE, SVC_KEYS_UNUSABLE */
export async function rotateKeySet(options: KeyOptions): Promise<void> {
  const { tools, file, shown } = await open(options)
  const keys = tools.rotateKeys(read(tools, file), Date.now())
  const [next] = keys
  file.replace(keys)
  print(
    `${shown}: key ${next?.kid} signs from ${time(next?.activeFrom ?? null)}; tokens of the previous key stay valid.`
  )
}

async function open(options: KeyOptions): Promise<OpenedKeys> {
  const { root, dir } = await keyFolder(options)
  const tools = await importKeyTools(root)
  const file = new tools.KeySetFile(dir)
  const path = relative(root, file.path)
  return { tools, file, shown: path.startsWith('..') ? file.path : path }
}

function read(tools: KeyTools, file: KeyFile): readonly StoredKey[] {
  if (!file.exists()) {
    const message = 'there is no key set'
    throw new CommandError({ code: 'SVC_KEYS_NONE', message, at: file.path, fix: 'npx svc keys generate' })
  }
  const { stored, faults } = tools.readKeySet(file.read())
  if (stored !== null) return stored
  throw new CommandError({
    code: 'SVC_KEYS_UNUSABLE',
    message: `the key set cannot be used: ${faults.join('; ')}`,
    at: file.path,
    fix: 'restore a good copy, or remove the file and run npx svc keys generate'
  })
}

function time(at: number | null): string {
  return at === null ? '-' : new Date(at).toISOString().replace('.000Z', 'Z')
}

export type KeyState = 'signs' | 'next' | 'verifies' | 'over'

export interface KeyRow {
  readonly kid: string
  readonly state: KeyState
  /** Epoch ms. */
  readonly activeFrom: number
  /** Epoch ms when a later key took or takes over; `null` for the last. */
  readonly retiredAt: number | null
}

/** The longest life an access token may have, in milliseconds. */
const LONGEST_ACCESS_MS = 86_400_000

/**
 * The keys of a set with what each of them does at a moment.
 *
 * @param now epoch ms
 */
export function keyRows(stored: readonly StoredKey[], now: number): KeyRow[] {
  const signing = stored.filter(({ d, activeFrom }) => d !== undefined && activeFrom <= now)
  const signs = signing.reduce<StoredKey | null>(
    (best, key) => (best === null || key.activeFrom > best.activeFrom ? key : best),
    null
  )
  return stored.map((key) => {
    const later = stored.map(({ activeFrom }) => activeFrom).filter((from) => from > key.activeFrom)
    const retiredAt = later.length === 0 ? null : Math.min(...later)
    return { kid: key.kid, state: stateOf(key, signs, retiredAt, now), activeFrom: key.activeFrom, retiredAt }
  })
}

function stateOf(key: StoredKey, signs: StoredKey | null, retiredAt: number | null, now: number): KeyState {
  if (key === signs) return 'signs'
  if (key.activeFrom > now) return 'next'
  return retiredAt !== null && retiredAt + LONGEST_ACCESS_MS <= now ? 'over' : 'verifies'
}
