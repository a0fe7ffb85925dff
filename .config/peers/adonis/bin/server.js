/** Starts the application on AdonisJS; `ws` echoes on its HTTP server, as the framework has no WebSockets of its own. */
import { Ignitor } from '@adonisjs/core'
import { WebSocketServer } from 'ws'
import { answerReadings } from '../../../../test/dist/bench/measured/measured-server.js'

process.env.HOST = '127.0.0.1'
process.env.PORT = '0'

const importer = (path) => import(path.startsWith('.') ? new URL(path, new URL('../', import.meta.url)).href : path)
await new Ignitor(new URL('../', import.meta.url), { importer }).httpServer().start()

// The service is there once the application is.
const { default: server } = await import('@adonisjs/core/services/server')
const nodeServer = server.getNodeServer()
const sockets = new WebSocketServer({ server: nodeServer, path: '/public/echo' })
sockets.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(JSON.stringify({ echo: data.toString() })))
})
answerReadings(nodeServer.address().port)
