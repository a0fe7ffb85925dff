/** The embedded engine in a process of its own, so that its CPU time is not counted as ours. Prints its port; ends with its parent. */
import { startDocumentEngine } from 'svc-docdb-embedded'

const engine = await startDocumentEngine()
process.stdout.write(`${engine.port}\n`)
process.stdin.resume().once('end', () => void engine.close())
