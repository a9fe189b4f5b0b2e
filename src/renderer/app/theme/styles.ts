import '@fontsource-variable/inter/standard.css'
import '@fontsource-variable/jetbrains-mono/index.css'
// Mantine's styles go in a separate cascade layer, so that ours win regardless of the load order of
// the built files.
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/dropzone/styles.layer.css'
import './global.css'
