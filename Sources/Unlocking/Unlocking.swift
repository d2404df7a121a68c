internal import Vault
