/**
 * Answers at rest. They may hold a secret that is shown once, so each is encrypted
 * under a key made from the caller's own idempotency key, of which the store has
 * only a hash: who reads the store cannot read the answers. Pure but for the nonce.
 */
import { hash } from 'node:crypto'
import { SecretBox } from 'svc-kernel'
import type { IdempotentAnswer } from './idempotency-store.ts'

/** Part of the derivation; never changes. */
const CONTEXT = 'svc-security/idempotency'

export function sealAnswer(answer: IdempotentAnswer, caller: string, key: string): IdempotentAnswer {
  return { ...answer, body: boxOf(caller, key).seal(answer.body) }
}

/** @throws InvalidSecretBox for what was sealed by another caller or under another key */
export function openAnswer(answer: IdempotentAnswer, caller: string, key: string): IdempotentAnswer {
  return { ...answer, body: boxOf(caller, key).open(answer.body) }
}

function boxOf(caller: string, key: string): SecretBox {
  // Another text than the one whose hash names the record.
  return new SecretBox(hash('sha256', JSON.stringify([CONTEXT, caller, key]), 'buffer'), CONTEXT)
}
