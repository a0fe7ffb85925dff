/** What hosts and tools use of svc-security, such as the command line: key sets, and where they are kept. */
export { rotateKeys } from './signing-keys/key-set.ts'
export { KeySetFile } from './signing-keys/key-set-file.ts'
export { type KeySetReading, readKeySet } from './signing-keys/read-key-set.ts'
export { newStoredKey, type PublicJwk, type StoredKey } from './signing-keys/signing-key.ts'
