import type { InstallCommand } from '../contract/app/updates.ts'

/** Where updates come from. The owner configures it in `resources/update-source.json`. */
export type UpdateSource = {
  /** The address of the manifest; null turns updates off. Files are next to it. */
  readonly address: string | null
  /** The public keys that may sign: two, so that one can replace the other. Ed25519 in base64url. */
  readonly keys: readonly { readonly id: string; readonly publicKey: string }[]
}

/** How a host is updated. Without it, Keydesk runs from its sources. */
export interface Updates {
  readonly source: UpdateSource
  /** The name of this installation's files in a manifest, such as `linux-amd64-deb`. */
  readonly platform: string
  /** The version that is installed now, if it isn't the running one; otherwise null. */
  installed(): string | null
  /** How a person installs a verified file; absent if `apply` does it. */
  command?(path: string): InstallCommand
  /** Installs a verified file while Keydesk restarts; absent if only a person can. */
  apply?(path: string): void
  /** Ends Keydesk in an orderly way and starts the installed version. */
  restart(): void
}
