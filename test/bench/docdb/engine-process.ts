/**
 * The embedded engine in a process of its own, so that its CPU time is not counted as ours, and so that it can be
 * killed. Prints its port; ends with its parent.
 *
 *   node engine-process.js [file] [port]
 */
import { startDocumentEngine } from 'svc-docdb-embedded'

const [file, port = '0'] = process.argv.slice(2)
const engine = await startDocumentEngine({ port: Number(port), ...(file === undefined ? {} : { file }) })
process.stdout.write(`${engine.port}\n`)
process.stdin.resume().once('end', () => void engine.close())
