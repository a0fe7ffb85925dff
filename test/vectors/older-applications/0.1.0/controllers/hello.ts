/** One class, two transports: a route over HTTP and an echo over WebSocket. */
import { CurrentUser, controller, Get, Message, WebSocket } from 'svc-decorators'
import type { User } from 'svc-kernel'

@controller('/api')
export class HelloController {
  @Get('/hello')
  hello(@CurrentUser() user: User) {
    return { hello: 'world', pid: process.pid, who: user.identifier }
  }

  /** Called once per text message; what it returns is sent back as JSON. */
  @WebSocket('/echo')
  echo(@Message() text: string) {
    return { echo: text }
  }
}
