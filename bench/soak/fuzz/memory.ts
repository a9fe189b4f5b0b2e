/** The service's memory, read through its inspector: the heap after a collection. */
import { readFile } from 'node:fs/promises'

export interface Memory {
  /**
   * Bytes. `heap`: alive after a collection; `resident`: total memory of the process, null where
   * the system doesn't report it.
   */
  measure(): Promise<{ heap: number; resident: number | null }>
  close(): void
}

type Reply = { id?: number; result?: { usedSize?: number } }

async function residentOf(pid: number | undefined): Promise<number | null> {
  try {
    return (
      Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
    )
  } catch {
    return null
  }
}

/** Of a process that was started with `--inspect`. */
export async function openMemory({
  child,
  output,
}: {
  child: { pid?: number | undefined }
  output: { stderr: string }
}): Promise<Memory> {
  const url = /ws:\/\/\S+/.exec(output.stderr)?.[0]
  if (url === undefined) throw new Error('the service has no inspector')
  const socket = new WebSocket(url)
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const reply = JSON.parse(data) as Reply
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => {
      reject(new Error('the inspector does not respond'))
    })
  })
  let last = 0
  const ask = (method: string): Promise<Reply> => {
    const id = (last += 1)
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method }))
    })
  }
  return {
    async measure() {
      await ask('HeapProfiler.collectGarbage')
      const { result } = await ask('Runtime.getHeapUsage')
      return { heap: result?.usedSize ?? 0, resident: await residentOf(child.pid) }
    },
    close: () => {
      socket.close()
    },
  }
}
