/** The embedded engine as a server of its own: run with its port and its file. */
import { startDocumentEngine } from 'svc-docdb-embedded'

const [, program, port, file] = process.argv
if (port !== undefined && file !== undefined && import.meta.filename === program) {
  const engine = await startDocumentEngine({ port: Number(port), file })
  process.once('SIGTERM', () => void engine.close().then(() => process.exit(0)))
  process.send?.('listening')
}
