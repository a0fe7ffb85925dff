/** What the vectors of older databases hold, and where they are. */
import type { JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EntityDefinition } from 'svc-orm'
import type { SvcWebhooksOptions } from 'svc-webhooks'

const FOLDER = new URL('../../../vectors/older-databases/', import.meta.url)

export const VERSIONS = ['0.1.0', 'beaf4a7a'] as const

export type Version = (typeof VERSIONS)[number]

/** What the application of then was configured with. */
export interface OlderApplication {
  readonly encryptionKey: string
  readonly keySetJson: string
  readonly entities: readonly EntityDefinition[]
  readonly webhooks?: SvcWebhooksOptions
}

/** One call of a store or a repository, and what it answered then, as JSON. */
export interface Answer {
  /** A brick, or an entity. */
  readonly of: string
  readonly method: string
  readonly args: readonly unknown[]
  readonly answer: unknown
}

export interface OlderRecords {
  /** Epoch ms of the last write. */
  readonly now: number
  /** Ids that the database gave: users by their name, and the two authors. */
  readonly ids: Readonly<Record<'carol' | 'dave' | 'erin' | 'alice' | 'ada' | 'max', string>> & {
    readonly first?: string
  }
  /** Of the idempotency key that is in flight. */
  readonly owner: string
  readonly held: Held
  readonly answers: readonly Answer[]
}

/** What the callers of then still hold. */
export interface Held {
  readonly cookies: readonly (readonly [name: string, value: string])[]
  readonly totpSecret: string
  readonly recoveryCodes: readonly string[]
  readonly passkey: { readonly id: string; readonly userHandle: string; readonly key: JsonWebKey }
  readonly apiKey: string
  readonly revokedApiKey: string
  readonly usedRefreshToken: string
  readonly refreshToken: string
  readonly webhook: { readonly id: string; readonly secret: string }
}

export function vectorFile(version: Version, name: string): string {
  return fileURLToPath(new URL(`${version}/${name}`, FOLDER))
}

function readVector<T>(version: Version, name: string): T {
  return JSON.parse(readFileSync(vectorFile(version, name), 'utf8')) as T
}

export function olderApplication(version: Version): OlderApplication {
  return readVector(version, 'application.json')
}

export function olderRecords(version: Version, engine: 'sqlite' | 'postgres' | 'documents'): OlderRecords {
  return readVector(version, `${engine}.json`)
}
