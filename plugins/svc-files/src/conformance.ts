/** The published suites: `svc-files/conformance`. */
export { type ContentSubject, fileContentConformance } from './content/file-content-conformance.ts'
export { fileStoreConformance } from './records/file-store-conformance.ts'
