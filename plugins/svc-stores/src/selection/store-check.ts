/** The health check of a store that an application gave: one cheap read, for which there need be no record. */
import type { Brick, StoreOf } from '../contracts/bricks.ts'

const reads: { readonly [Name in Brick]: (store: StoreOf[Name]) => Promise<unknown> } = {
  session: (store) => store.find('health'),
  user: (store) => store.findByIdentifier('health'),
  tokens: (store) => store.isDenied('health'),
  passkeys: (store) => store.find('health'),
  totp: (store) => store.find('health'),
  webhooks: (store) => store.find('health'),
  audit: (store) => store.list({}, { limit: 1 }),
  // It has no read: this one finds nothing to free.
  idempotency: (store) => store.abandon('health', 'health')
}

export function storeCheck<Name extends Brick>(brick: Name, store: StoreOf[Name]): () => Promise<unknown> {
  return () => reads[brick](store)
}
