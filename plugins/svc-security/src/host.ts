/** What hosts and tools use of svc-security, such as the command line: key sets, and where they are stored. */
export { rotateKeys } from './signing-keys/key-set.ts'
export { KeySetFile } from './signing-keys/key-set-file.ts'
export {
  type KeySetReading,
  newStoredKey,
  type PublicJwk,
  readKeySet,
  type StoredKey
} from './signing-keys/signing-key.ts'
