/** The server asks for an encryption; the measured routes use none. */
import { randomBytes } from 'node:crypto'
import { defineConfig, drivers } from '@adonisjs/core/encryption'

const keys = [randomBytes(32).toString('base64')]

export default defineConfig({ default: 'gcm', list: { gcm: drivers.aes256gcm({ id: 'gcm', keys }) } })
