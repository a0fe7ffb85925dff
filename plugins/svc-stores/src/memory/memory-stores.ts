/** A memory store of every brick: what `auto` falls back to. */
import type { Brick, StoreOf } from '../contracts/bricks.ts'
import { MemoryAuditStore } from './audit-store.ts'
import { MemoryIdempotencyStore } from './idempotency-store.ts'
import { MemoryPasskeysStore } from './passkeys-store.ts'
import { MemorySessionStore } from './session-store.ts'
import type { StoreParts } from './store-parts.ts'
import { MemoryTokensStore } from './tokens-store.ts'
import { MemoryTotpStore } from './totp-store.ts'
import { MemoryUserStore } from './user-store.ts'
import { MemoryWebhooksStore } from './webhooks-store.ts'

export const memoryStores: { readonly [Name in Brick]: (parts: StoreParts) => StoreOf[Name] } = {
  session: (parts) => new MemorySessionStore(parts),
  user: (parts) => new MemoryUserStore(parts),
  tokens: (parts) => new MemoryTokensStore(parts),
  passkeys: (parts) => new MemoryPasskeysStore(parts),
  totp: (parts) => new MemoryTotpStore(parts),
  webhooks: (parts) => new MemoryWebhooksStore(parts),
  audit: (parts) => new MemoryAuditStore(parts),
  idempotency: (parts) => new MemoryIdempotencyStore(parts)
}
