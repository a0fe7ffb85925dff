/** `svc-files/stores`: what this package stores, for applications that bring a store of their own. */
export type { FileRecord, FileState } from './records/file-record.ts'
export { type FileStore, fileStore } from './records/file-store.ts'
