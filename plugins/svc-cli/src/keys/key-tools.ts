/** What the commands need of svc-security to work on a key set, from the copy that the application uses. */
import { importFrom } from '../application/app-packages.ts'

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
