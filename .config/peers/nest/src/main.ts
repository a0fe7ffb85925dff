/** Starts the application on NestJS, with its Fastify adapter and its adapter of ws. */
import 'reflect-metadata'
import { ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { WsAdapter } from '@nestjs/platform-ws'
import { answerReadings } from '../../../../test/dist/bench/measured/measured-server.js'
import { AppModule } from './app.module.ts'

const app = await NestFactory.create<NestFastifyApplication>(AppModule, new FastifyAdapter(), { logger: false })
app.useGlobalPipes(new ValidationPipe({ whitelist: true }))
// Every message is an event of the same name: plain text comes in, and what the handler returns goes out.
app.useWebSocketAdapter(new WsAdapter(app, { messageParser: (text) => ({ event: 'echo', data: String(text) }) }))
await app.listen(0, '127.0.0.1')
answerReadings((app.getHttpServer().address() as { port: number }).port)
